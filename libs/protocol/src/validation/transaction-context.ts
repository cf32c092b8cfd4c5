import { type SignatureVerifier } from '../crypto/index.js';
import { hexToBytes } from '../encoding/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex, isIntraGroup } from '../primitives/index.js';
import { type OutputView } from '../state/index.js';
import { type Output, type Transaction, transactionId } from '../transaction/index.js';
import { type Refusal } from './outcome.js';
import { type ScriptExecutor, type TransactionScriptOutcome } from './script-executor.js';

/** The context of transaction validation (protocol 02 §9). */
export interface TransactionContext {
  readonly settings: NetworkSettings;
  readonly transaction: Transaction;
  /** Given by the block; derived by `admissionChainIndex` for the mempool. */
  readonly chainIndex: ChainIndex;
  /** T of the lock-time rule in milliseconds: the block's timestamp, or the current time in the mempool. */
  readonly timestamp: bigint;
  readonly view: OutputView;
  readonly verifySignature: SignatureVerifier;
  readonly kind: 'block' | 'mempool' | 'coinbase';
  /** attoCoin added to the input side of a coinbase: reward and gas subsidy (protocol 02 §12.4 check 4). */
  readonly coinbaseExtra?: bigint;
  /** Runs unlock scripts and, on intra-group chains, transaction scripts. */
  readonly executor: ScriptExecutor;
  /** Is given why the script failed. A valid transaction may have one that fails; a repeated run gives it again. */
  readonly onFailedScript?: ((failure: Refusal) => void) | undefined;
}

/**
 * The state of one validation: the context, and results of earlier rules for later ones. The comment of each mutable
 * field names the rule that writes it.
 */
export interface TransactionExamination extends TransactionContext {
  readonly intraGroup: boolean;
  /** The 32 bytes that the input signatures sign. */
  readonly idBytes: Uint8Array;
  /** NonExistInput: outputs of all inputs, then of all contract inputs. */
  previousOutputs: readonly Output[];
  /** OutOfGas and the unlock rules: gas not yet charged. */
  gasLeft: number;
  /** The unlock rules: input signatures consumed from the front. */
  signaturesTaken: number;
  /** The script rules; undefined without script. */
  scriptOutcome: TransactionScriptOutcome | undefined;
}

/** The initial state of a validation. */
export const beginExamination = (context: TransactionContext): TransactionExamination => ({
  ...context,
  intraGroup: isIntraGroup(context.chainIndex),
  idBytes: hexToBytes(transactionId(context.transaction.unsigned)),
  previousOutputs: [],
  gasLeft: context.transaction.unsigned.gasAmount,
  signaturesTaken: 0,
  scriptOutcome: undefined,
});
