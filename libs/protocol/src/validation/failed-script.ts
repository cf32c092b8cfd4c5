import { bytesToHex, encode } from '../encoding/index.js';
import {
  type AssetLockupScript,
  compareSignedBytes,
  dustAmount,
  type Hash,
  type LockupScript,
  lockupScriptCodec,
  u256Max,
} from '../primitives/index.js';
import { type StatefulScript, usesApprovedAssets } from '../script/index.js';
import {
  type AssetOutput,
  type Output,
  type Transaction,
  type TransactionTemplate,
  type UnsignedTransaction,
} from '../transaction/index.js';

/** Whether the first method of the script takes assets that the inputs approve in advance. */
export const takesPreapprovedAssets = (script: StatefulScript | undefined): boolean =>
  script?.methods[0] !== undefined && usesApprovedAssets(script.methods[0]);

/** gas amount * gas price in attoCoin, always on the full gas amount (protocol 02 §2.3). */
export const feeOf = (unsigned: UnsignedTransaction): bigint => BigInt(unsigned.gasAmount) * unsigned.gasPrice;

interface Balance {
  readonly lockupScript: AssetLockupScript;
  coin: bigint;
  readonly tokens: Map<Hash, bigint>;
}

/** Balances in order of first appearance. */
type Balances = Map<string, Balance>;

const keyOf = (lockupScript: LockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));

const addOutput = (balances: Balances, output: AssetOutput): boolean => {
  const key = keyOf(output.lockupScript);
  const balance = balances.get(key) ?? { lockupScript: output.lockupScript, coin: 0n, tokens: new Map<Hash, bigint>() };
  balances.set(key, balance);
  balance.coin += output.amount;
  for (const { id, amount } of output.tokens) balance.tokens.set(id, (balance.tokens.get(id) ?? 0n) + amount);
  return balance.coin <= u256Max && output.tokens.every(({ id }) => balance.tokens.get(id)! <= u256Max);
};

const subtractOutput = (balances: Balances, output: AssetOutput): boolean => {
  const balance = balances.get(keyOf(output.lockupScript));
  if (!balance || balance.coin < output.amount) return false;
  balance.coin -= output.amount;
  for (const { id, amount } of output.tokens) {
    const available = balance.tokens.get(id);
    if (available === undefined || available < amount) return false;
    balance.tokens.set(id, available - amount);
  }
  return true;
};

const assetOutput = (lockupScript: AssetLockupScript, amount: bigint, tokens: AssetOutput['tokens']): AssetOutput => ({
  kind: 'asset',
  amount,
  lockupScript,
  lockTime: 0n,
  tokens,
  additionalData: new Uint8Array(0),
});

/** One output a token, then the remaining coin; undefined when the coin does not suffice for these outputs. */
const outputsOfBalance = ({ lockupScript, coin, tokens }: Balance): AssetOutput[] | undefined => {
  const held = [...tokens].filter(([, amount]) => amount > 0n).sort(([a], [b]) => compareSignedBytes(a, b));
  const remaining = coin - dustAmount * BigInt(held.length);
  if (remaining < 0n || (remaining > 0n && remaining < dustAmount)) return undefined;
  const outputs = held.map(([id, amount]) => assetOutput(lockupScript, dustAmount, [{ id, amount }]));
  if (remaining > 0n) outputs.push(assetOutput(lockupScript, remaining, []));
  return outputs;
};

/**
 * The generated outputs of a transaction whose script fails: what the script could have used goes back to its owners
 * less the fee, which the owner of the first input pays (protocol 02 §10.2). `previousOutputs` are those of the inputs,
 * in order. Undefined when such outputs cannot be formed.
 */
export const failedScriptOutputs = (
  unsigned: UnsignedTransaction,
  previousOutputs: readonly Output[],
): AssetOutput[] | undefined => {
  if (!takesPreapprovedAssets(unsigned.script)) return [];
  const balances: Balances = new Map();
  for (const output of previousOutputs) {
    if (output.kind === 'asset' && !addOutput(balances, output)) return undefined;
  }
  for (const output of unsigned.fixedOutputs) {
    if (!subtractOutput(balances, output)) return undefined;
  }
  const [payer] = balances.values();
  const fee = feeOf(unsigned);
  if (!payer || payer.coin < fee) return undefined;
  payer.coin -= fee;
  const outputs: AssetOutput[] = [];
  for (const balance of balances.values()) {
    const own = outputsOfBalance(balance);
    if (!own) return undefined;
    outputs.push(...own);
  }
  return outputs;
};

/** The failed form of a template (protocol 02 §10.2 point 4); undefined when it is impossible. */
export const toFailedForm = (
  template: TransactionTemplate,
  previousOutputs: readonly Output[],
): Transaction | undefined => {
  const generatedOutputs = failedScriptOutputs(template.unsigned, previousOutputs);
  return (
    generatedOutputs && {
      unsigned: template.unsigned,
      inputSignatures: template.inputSignatures,
      scriptSignatures: template.scriptSignatures,
      scriptExecutionOk: false,
      contractInputs: [],
      generatedOutputs,
    }
  );
};
