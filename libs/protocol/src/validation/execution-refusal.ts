import { ExecutionFailure, type FailureArguments, type FailureName } from '../vm/index.js';
import { type Refusal } from './outcome.js';

/** The failure of a run as the reason of a refusal: its name, its text and where it happened. */
export const executionRefusal = (failure: ExecutionFailure): Refusal => ({ code: failure.failure, failure });

/** A failure before the first instruction, in the code charge. */
export const failedBeforeRun = <Name extends FailureName>(name: Name, ...args: FailureArguments<Name>): Refusal =>
  executionRefusal(new ExecutionFailure(name, args));

/** A run to which the protocol gives no result: its transaction is never valid (protocol 05 §1, §18; 00-decisions, 29). */
export const executionAborted = (why: string): Refusal => ({ code: 'ExecutionAborted', detail: why });
