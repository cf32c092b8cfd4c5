import { type Clock } from '@shardnode/core/lifecycle';
import { type GroupStore } from '../store/index.js';
import { type GroupState } from './group-state.js';

/** The part of a node that queries and builders use: memory, store, clock, and the state of the commit. */
export interface NodeReads {
  readonly state: Readonly<GroupState>;
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly importer: {
    readonly isCommitting: boolean;
    /** Resolves when no commit is in progress. */
    settled(): Promise<void>;
  };
}
