import { type ErrorFrame } from '@shardnode/core/errors';
import { type CallReply, type ContractCall, type RunReply, type TestContractRequest } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { type WorldState } from '@shardnode/protocol/state';
import { type BlockEnvironment } from '@shardnode/protocol/vm';

/** The conditions of a run, as sent to the thread of runs. */
export interface RunConditions {
  /** The state from which it starts. */
  readonly roots: Pick<WorldState, 'outputRoot' | 'contractRoot'>;
  readonly block: BlockEnvironment & { readonly blockHash: Hash };
  readonly transactionId: Hash;
}

interface TestJob extends RunConditions {
  readonly kind: 'test';
  readonly request: TestContractRequest;
}

export interface CallJob extends RunConditions {
  readonly kind: 'call';
  readonly request: ContractCall;
}

/** A run without effects (protocol 05 §14). */
export type RunJob = TestJob | CallJob;

export type RunResult =
  | { readonly kind: 'test'; readonly reply: RunReply }
  | { readonly kind: 'call'; readonly reply: CallReply }
  /** A refusal, or a fault. */
  | { readonly kind: 'error'; readonly error: ErrorFrame };
