import { blockReward, coinbaseData, rewardLimitTarget, targetValue } from '../block/index.js';
import { type SignatureVerifier } from '../crypto/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex, coinbaseGasPrice, coinbaseGasSubsidy, minimalGas } from '../primitives/index.js';
import { type OutputView } from '../state/index.js';
import { type Transaction, transactionId } from '../transaction/index.js';
import { firstRefusal, type Refusal, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';
import { type ScriptExecutor } from './script-executor.js';
import { checkTransaction } from './transaction.js';

/** The last transaction of a block, and the block data that its rules need. */
export interface CoinbaseContext {
  readonly settings: NetworkSettings;
  readonly transaction: Transaction;
  readonly chainIndex: ChainIndex;
  /** Of the block, milliseconds. */
  readonly timestamp: bigint;
  /** The compact target of the block. */
  readonly target: number;
  readonly view: OutputView;
  readonly verifySignature: SignatureVerifier;
  readonly executor: ScriptExecutor;
}

const rewardOf = ({ settings, target, timestamp }: CoinbaseContext): bigint => blockReward(settings, target, timestamp);

const beginsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean =>
  bytes.length >= prefix.length && prefix.every((byte, i) => bytes[i] === byte);

const namesItsBlock = ({ transaction, chainIndex, timestamp }: CoinbaseContext): boolean =>
  beginsWith(transaction.unsigned.fixedOutputs[0]!.additionalData, coinbaseData(chainIndex, timestamp));

const hasCoinbaseForm = ({ transaction }: CoinbaseContext): boolean =>
  transaction.unsigned.script === undefined &&
  transaction.unsigned.gasPrice === coinbaseGasPrice &&
  transaction.unsigned.fixedOutputs.every((output) => output.tokens.length === 0) &&
  transaction.contractInputs.length === 0 &&
  transaction.generatedOutputs.length === 0 &&
  transaction.scriptSignatures.length === 0 &&
  transaction.unsigned.gasAmount === minimalGas &&
  transaction.unsigned.fixedOutputs.length === 1 &&
  transaction.inputSignatures.length === 0;

/** `ExistInvalidTx(transaction, reason)`: why a transaction makes its block invalid (protocol 02 §9.1 rows 9, 10). */
export const existInvalidTransaction = (transaction: Transaction, reason: Refusal): Refusal => ({
  code: 'ExistInvalidTx',
  transactionId: transactionId(transaction.unsigned),
  reason,
});

const checkAsTransaction = (context: CoinbaseContext): Verdict => {
  const coinbaseExtra = rewardOf(context) + coinbaseGasSubsidy;
  const reason = checkTransaction({ ...context, kind: 'coinbase', coinbaseExtra });
  if (!reason) return undefined;
  if (reason.code === 'InvalidCoinBalance') return { code: 'InvalidCoinbaseReward' };
  return existInvalidTransaction(context.transaction, reason);
};

/** The coinbase, after all other transactions of the block, in this order (protocol 02 §12.4, 03 §10.1). */
export const coinbaseChecks: readonly Rule<CoinbaseContext>[] = [
  required(
    'TargetBelowRewardLimit',
    ({ settings, target }) => targetValue(target) >= targetValue(rewardLimitTarget(settings)),
  ),
  required('InvalidCoinbaseFormat', ({ transaction }) => transaction.unsigned.fixedOutputs.length > 0),
  required('InvalidCoinbaseData', namesItsBlock),
  required('InvalidCoinbaseFormat', hasCoinbaseForm),
  grouped('ExistInvalidTx or InvalidCoinbaseReward', checkAsTransaction),
  required(
    'InvalidCoinbaseLockedAmount',
    (context) => context.transaction.unsigned.fixedOutputs[0]!.amount === rewardOf(context),
  ),
  required(
    'InvalidCoinbaseLockupPeriod',
    ({ transaction, timestamp, settings }) =>
      transaction.unsigned.fixedOutputs[0]!.lockTime === timestamp + settings.coinbaseLockPeriod,
  ),
];

/** Whether the coinbase of a block of an own chain is valid. */
export const checkCoinbase = (context: CoinbaseContext): Verdict => firstRefusal(coinbaseChecks, context);
