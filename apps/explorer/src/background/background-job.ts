import { type SchemaStatements } from '@shardnode/core/database';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type Hash } from '@shardnode/protocol/primitives';
import { type FeedSource } from '../group-nodes/feed-source.js';

/** Parts of the writer that a job may use. */
export interface JobContext {
  readonly groups: number;
  /** Connections beside the writer's session: for reading, which may take long. */
  readonly reading: SchemaStatements;
  /** Runs work in the writer's session, alone: no block is applied or undone meanwhile. Keep it short. */
  writing<T>(work: (statements: SchemaStatements) => Promise<T>): Promise<T>;
  /** Blocks that others depend on, and that no group-node has shown for 5 s. */
  unshown(): readonly Hash[];
  /** The group-nodes. */
  readonly source: FeedSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted when the writer stops, which waits for the job. */
  readonly stopping: AbortSignal;
}

/** Result of a request to start a job: `impossible` while the index is not live, or not written here. */
export type JobStart = 'started' | 'running' | 'impossible';

/**
 * Work of the writer beside its blocks (protocol 08 §4.13). It runs when the index becomes live, and again
 * `everyMs` after each end, if it is due, never twice at once. An error is logged; the next run is as scheduled.
 */
export interface BackgroundJob {
  readonly name: string;
  /** Milliseconds. */
  readonly everyMs: number;
  /** Absent: it always is. On demand a job runs in any case. */
  isDue?(context: JobContext): Promise<boolean>;
  run(context: JobContext): Promise<void>;
}
