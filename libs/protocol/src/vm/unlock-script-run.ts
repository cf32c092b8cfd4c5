import { type StatelessScript, type Val } from '../script/index.js';
import { type BlockEnvironment, type TransactionEnvironment } from './environment.js';
import { enterEntryMethod } from './frames.js';
import { Machine } from './machine.js';
import { run } from './run-loop.js';
import { type RunOutcome, runOutcome } from './run-outcome.js';

export interface UnlockScriptOptions {
  readonly block: BlockEnvironment;
  readonly transaction: TransactionEnvironment;
  readonly script: StatelessScript;
  /** Parameters of the unlock script: the arguments of the first method. */
  readonly parameters: readonly Val[];
  /** Gas left after the code and hash charges (protocol 05 §8.1 step 2). */
  readonly gasLimit: number;
  /** Input signatures not yet taken, the first taken first, 64 bytes each. */
  readonly signatures: readonly Uint8Array[];
  /** Signatures are not verified: gas estimation (protocol 05 §15). */
  readonly mocksSignatures?: boolean;
  /** The first method may return values: tests look at them. */
  readonly receivesResults?: boolean;
}

export interface UnlockScriptResult {
  readonly results: readonly Val[];
  readonly signaturesTaken: number;
}

/** Runs the script of a p2sh unlock; no failure means unlocked (protocol 05 §8.1 step 3). */
export const executeUnlockScript = (options: UnlockScriptOptions): RunOutcome<UnlockScriptResult> => {
  const machine = new Machine(options);
  return runOutcome(machine, () => {
    enterEntryMethod(machine, { kind: 'script', methods: options.script.methods }, options.parameters, undefined);
    run(machine);
    return { results: machine.results, signaturesTaken: machine.signaturesTaken };
  });
};
