import { ExecutionAbort, ExecutionFailure } from './failure.js';
import { type Machine } from './machine.js';

/** How a run ended. A missing piece of state is thrown (StateMiss), never an outcome. */
export type RunOutcome<T> =
  | ({ readonly kind: 'succeeded'; readonly gasLeft: number } & T)
  | { readonly kind: 'failed'; readonly failure: ExecutionFailure; readonly gasLeft: number }
  /** The failure is breaking: the transaction is invalid (protocol 05 §12.2). */
  | { readonly kind: 'inactiveInstruction'; readonly failure: ExecutionFailure; readonly gasLeft: number }
  /** The protocol has no result: the transaction is invalid (protocol 05 §1). */
  | { readonly kind: 'aborted'; readonly why: string };

/** The outcome of `body` on the machine, with failures as outcomes. */
export const runOutcome = <T extends object>(machine: Machine, body: () => T): RunOutcome<T> => {
  try {
    const result = body();
    return { kind: 'succeeded', gasLeft: machine.gasLeft, ...result };
  } catch (error) {
    if (error instanceof ExecutionAbort) return { kind: 'aborted', why: error.why };
    if (!(error instanceof ExecutionFailure)) throw error;
    const kind = error.breaking ? 'inactiveInstruction' : 'failed';
    return { kind, failure: error, gasLeft: machine.gasLeft };
  }
};
