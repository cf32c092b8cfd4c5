import { type Hash } from '@shardnode/protocol/primitives';
import { type RunJob, type RunResult } from './run-job.js';

/** Messages to the thread of runs: a run, or the entries that it requested (absent ones are left out). */
export type ToRunThread =
  | { readonly kind: 'run'; readonly id: number; readonly job: RunJob }
  | { readonly kind: 'entries'; readonly load: number; readonly entries: ReadonlyMap<Hash, Uint8Array> }
  | { readonly kind: 'notLoaded'; readonly load: number; readonly why: string };

export type StateEntries = 'nodes' | 'immutables';

/** Messages from the thread of runs: the result of a run, or the entries of the state that it needs. */
export type FromRunThread =
  | { readonly kind: 'result'; readonly id: number; readonly result: RunResult }
  /** A fault of this node; for the log. */
  | { readonly kind: 'fault'; readonly id: number; readonly why: string }
  | { readonly kind: 'load'; readonly load: number; readonly entries: StateEntries; readonly hashes: readonly Hash[] };
