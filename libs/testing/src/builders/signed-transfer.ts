import { sign } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript, minGasPrice, minimalGas, type OutputReference } from '@shardnode/protocol/primitives';
import { type StatefulScript } from '@shardnode/protocol/script';
import {
  type AssetOutput,
  type Token,
  type Transaction,
  type TransactionInput,
  transactionId,
  type UnsignedTransaction,
} from '@shardnode/protocol/transaction';
import { type TestKey } from '../keys/index.js';

/** An output to spend, with its reference in the view. */
export interface SpendableOutput {
  readonly reference: OutputReference;
  readonly output: AssetOutput;
}

/** An asset output; nothing but amount and owner is needed. Amount in attoCoin, lock time in milliseconds. */
export const assetOutput = (
  lockupScript: AssetLockupScript,
  amount: bigint,
  rest: { readonly tokens?: readonly Token[]; readonly lockTime?: bigint; readonly additionalData?: Uint8Array } = {},
): AssetOutput => ({
  kind: 'asset',
  amount,
  lockupScript,
  lockTime: rest.lockTime ?? 0n,
  tokens: rest.tokens ?? [],
  additionalData: rest.additionalData ?? new Uint8Array(0),
});

/** The block form of an unsigned transaction without script, with one signature by each key, in this order. */
export const signTransaction = (unsigned: UnsignedTransaction, signers: readonly TestKey[]): Transaction => ({
  unsigned,
  scriptExecutionOk: true,
  contractInputs: [],
  generatedOutputs: [],
  inputSignatures: signers.map((key) => sign(hexToBytes(transactionId(unsigned)), key.privateKey)),
  scriptSignatures: [],
});

/** A transfer of explicit outputs of one key. */
export interface TransferRequest {
  readonly settings: NetworkSettings;
  readonly from: TestKey;
  /** All are spent; at least one. */
  readonly spend: readonly SpendableOutput[];
  readonly outputs: readonly AssetOutput[];
  /** Default 20000, enough for 2 inputs and 3 outputs. */
  readonly gasAmount?: number;
  /** attoCoin; default 10^11. */
  readonly gasPrice?: bigint;
  readonly script?: StatefulScript;
  /** attoCoin without output, available to the script; default 0. */
  readonly left?: bigint;
}

const changeOf = (request: TransferRequest, gasAmount: number, gasPrice: bigint): AssetOutput[] => {
  const spent = request.spend.reduce((sum, { output }) => sum + output.amount, 0n);
  const paid = request.outputs.reduce((sum, output) => sum + output.amount, 0n);
  const change = spent - paid - (request.left ?? 0n) - BigInt(gasAmount) * gasPrice;
  if (change < 0n) throw new RangeError(`the outputs and the fee need ${-change} attoCoin more`);
  return change === 0n ? [] : [assetOutput(request.from.lockupScript, change)];
};

/**
 * A signed transfer that is valid if its outputs are: the change returns to the sender as the last output. With a
 * script it is a template, without the effects of the script.
 */
export const buildSignedTransfer = (request: TransferRequest): Transaction => {
  const { settings, from, spend, outputs, script, gasAmount = minimalGas, gasPrice = minGasPrice } = request;
  const inputs = spend.map(({ reference }, i): TransactionInput => ({
    outputReference: reference,
    unlockScript: i === 0 ? { kind: 'p2pkh', publicKey: from.publicKey } : { kind: 'sameAsPrevious' },
  }));
  const fixedOutputs = [...outputs, ...changeOf(request, gasAmount, gasPrice)];
  const { networkId } = settings;
  return signTransaction({ version: 0, networkId, script, gasAmount, gasPrice, inputs, fixedOutputs }, [from]);
};
