import { type Clock } from '@shardnode/core/lifecycle';
import { type GroupStore } from '../store/index.js';
import { type GroupState } from './group-state.js';

/** The part of a node that queries and builders use: memory, store, clock, and whether a commit is under way. */
export interface NodeReads {
  readonly state: Readonly<GroupState>;
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly importer: {
    readonly isCommitting: boolean;
    /** Resolves when no commit is under way. */
    settled(): Promise<void>;
  };
}
