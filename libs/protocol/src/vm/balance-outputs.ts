import {
  type AssetLockupScript,
  dustAmount,
  type Hash,
  maxTokensPerContractOutput,
  minimalContractDeposit,
} from '../primitives/index.js';
import { type AssetOutput, type ContractOutput, type Output, type Token } from '../transaction/index.js';
import { type BalanceEntry, tokensInOutputOrder } from './balance-list.js';
import { fail } from './failure.js';

const noData = new Uint8Array(0);

/**
 * The outputs for the assets of an owner: one for each token with the dust amount of coin, then the rest of the coin
 * (protocol 05 §11.3). Undefined when the coin does not suffice for these outputs. `coin` in attoCoin, `tokens` in
 * output order, `lockTime` in milliseconds.
 */
export const assetOutputsOf = (
  lockupScript: AssetLockupScript,
  coin: bigint,
  tokens: readonly Token[],
  lockTime = 0n,
): AssetOutput[] | undefined => {
  const rest = coin - dustAmount * BigInt(tokens.length);
  if (rest < 0n || (rest > 0n && rest < dustAmount)) return undefined;
  const output = (amount: bigint, held: readonly Token[]): AssetOutput => ({
    kind: 'asset',
    amount,
    lockupScript,
    lockTime,
    tokens: held,
    additionalData: noData,
  });
  const outputs = tokens.map((token) => output(dustAmount, [token]));
  if (rest > 0n) outputs.push(output(rest, []));
  return outputs;
};

const contractOutputOf = (contractId: Hash, coin: bigint, tokens: readonly Token[]): ContractOutput => {
  if (coin < minimalContractDeposit) fail('LowerThanContractMinimalBalance', coin);
  if (tokens.length > maxTokensPerContractOutput) {
    fail('InvalidTokenNumForContractOutput', contractId, tokens.length);
  }
  return { kind: 'contract', amount: coin, contractId, tokens };
};

/** The outputs of an entry; fails the script if they cannot be formed (protocol 05 §11.3). */
export const outputsOfEntry = (
  { lockupScript, coin, tokens }: Pick<BalanceEntry, 'lockupScript' | 'coin' | 'tokens'>,
  lockTime = 0n,
): readonly Output[] => {
  const held = tokensInOutputOrder(tokens);
  if (coin === 0n && held.length === 0) return [];
  if (coin > 0n && lockupScript.kind === 'p2c') return [contractOutputOf(lockupScript.contractId, coin, held)];
  const outputs = lockupScript.kind === 'p2c' ? undefined : assetOutputsOf(lockupScript, coin, held, lockTime);
  return outputs ?? fail('InvalidOutputBalances', lockupScript, held.length, coin);
};
