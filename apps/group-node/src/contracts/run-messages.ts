import { type Hash } from '@shardnode/protocol/primitives';
import { type RunJob, type RunResult } from './run-job.js';

/** What the thread that makes runs is told: a run, or entries that it asked for (absent ones are left out). */
export type ToRunThread =
  | { readonly kind: 'run'; readonly id: number; readonly job: RunJob }
  | { readonly kind: 'entries'; readonly load: number; readonly entries: ReadonlyMap<Hash, Uint8Array> }
  | { readonly kind: 'notLoaded'; readonly load: number; readonly why: string };

export type StateEntries = 'nodes' | 'immutables';

/** What it says: how a run ended, or which entries of the state it needs. */
export type FromRunThread =
  | { readonly kind: 'result'; readonly id: number; readonly result: RunResult }
  /** A fault of ours; for the log. */
  | { readonly kind: 'fault'; readonly id: number; readonly why: string }
  | { readonly kind: 'load'; readonly load: number; readonly entries: StateEntries; readonly hashes: readonly Hash[] };
