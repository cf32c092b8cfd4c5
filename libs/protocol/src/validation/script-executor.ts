import { type OutputReference } from '../primitives/index.js';
import { type StatelessScript, type Val } from '../script/index.js';
import { type Output, type Transaction } from '../transaction/index.js';
import { type Refusal } from './outcome.js';

/** Input of the stateless machine for the script of a p2sh unlock (protocol 02 §9.5). */
export interface UnlockScriptRun {
  readonly transaction: Transaction;
  /** Of all inputs, then of all contract inputs. */
  readonly previousOutputs: readonly Output[];
  readonly inputIndex: number;
  readonly script: StatelessScript;
  readonly parameters: readonly Val[];
  /** Gas left after the code and hash charges. */
  readonly gasLimit: number;
  /** Input signatures not yet taken; the script takes them from the front. */
  readonly signatures: readonly Uint8Array[];
}

export type UnlockScriptOutcome =
  | { readonly kind: 'succeeded'; readonly gasLeft: number; readonly signaturesTaken: number }
  | { readonly kind: 'failed'; readonly failure: Refusal };

/** Input of the stateful machine for the script of a transaction (protocol 02 §9.6). */
export interface TransactionScriptRun {
  readonly transaction: Transaction;
  /** Of all inputs, then of all contract inputs. */
  readonly previousOutputs: readonly Output[];
  /** Gas left after the code charge. */
  readonly gasLimit: number;
}

export type TransactionScriptOutcome =
  | {
      readonly kind: 'succeeded';
      readonly contractInputs: readonly OutputReference[];
      readonly generatedOutputs: readonly Output[];
      readonly gasLeft: number;
      /** Makes the scratch state visible to later transactions of the block. */
      readonly keep: () => void;
    }
  | { readonly kind: 'failed'; readonly failure: Refusal }
  /** The protocol gives the run no result: the transaction is invalid (protocol 05 §18). */
  | { readonly kind: 'aborted'; readonly failure: Refusal }
  /** The script met an instruction that this protocol version does not have active. */
  | { readonly kind: 'inactiveInstruction'; readonly failure: Refusal };

/**
 * The port to the virtual machine. An executor belongs to one validation: it holds the block environment and the
 * scratch copy of the world state. Missing state throws RunMiss and is never a failure of the script.
 */
export interface ScriptExecutor {
  runUnlockScript(run: UnlockScriptRun): UnlockScriptOutcome;
  /** Works on a scratch copy; includes the checks after the run (protocol 02 §9.6 point 2). */
  runTransactionScript(run: TransactionScriptRun): TransactionScriptOutcome;
}
