import { type Hash } from '../primitives/index.js';
import { type FailureArguments, type FailureName, failureText, plainFailureText } from './failure-texts.js';

/** Where a run stopped. */
export interface FailureLocation {
  /** Undefined in a script. */
  readonly contractId: Hash | undefined;
  /** Undefined in a script. */
  readonly codeHash: Hash | undefined;
  readonly methodIndex: number;
  /** The number of instructions where a method ended without Return. */
  readonly instructionIndex: number;
  /** Name in the instruction table. */
  readonly instruction: string;
}

/** A failure of a script: no instruction can catch it (protocol 05 §1, §12). */
export class ExecutionFailure<Name extends FailureName = FailureName> extends Error {
  /** Filled by the run loop; undefined for failures outside a frame. */
  location: FailureLocation | undefined;

  constructor(
    readonly failure: Name,
    readonly args: FailureArguments<Name>,
  ) {
    super();
    this.name = 'ExecutionFailure';
  }

  /** A transaction with such a failure is invalid, not one with a failed script (protocol 05 §12.2). */
  get breaking(): boolean {
    return this.failure === 'InactiveInstr';
  }

  /** Built on demand, because it may quote long values. `{COIN}` and `{coin}` stand for the coin's symbol. */
  text(): string {
    return failureText(this.failure, this.args);
  }

  /** The text for people: a name is written in words, `out of gas`, and it says what helps where that can be known. */
  plainText(): string {
    const text = plainFailureText(this.failure, this.args) ?? this.text();
    return text === this.failure ? text.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase() : text;
  }
}

/** A transaction without a result in the protocol: never valid, not a failed script (protocol 05 §1, §18). */
export class ExecutionAbort extends Error {
  constructor(readonly why: string) {
    super(why);
    this.name = 'ExecutionAbort';
  }
}

/** Ends the run with a failure of the table (protocol 05 §12.4). */
export function fail<Name extends FailureName>(name: Name, ...args: FailureArguments<Name>): never {
  throw new ExecutionFailure(name, args);
}

/** Ends the run without a result (protocol 05 §18, items 15 and 16). */
export function abort(why: string): never {
  throw new ExecutionAbort(why);
}
