import { type Semaphore } from '@shardnode/core/concurrency';
import { type NodeReads } from '../view/reads.js';

/** The part of a node that builders of transactions use. */
export interface BuilderReads extends NodeReads {
  /** Throws `unavailable` while the node is not synced. */
  readonly sync: { requireReady(): void };
  /** Limits how many scripts are tried at a time. */
  readonly trials: Semaphore;
  /** Limits how many builds read very many outputs at a time. */
  readonly farReads: Semaphore;
}
