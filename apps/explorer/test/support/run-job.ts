import { type SchemaStatements } from '@shardnode/core/database';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger, silentLogger } from '@shardnode/core/observability';
import { type BackgroundJob, type JobContext } from '../../src/index.js';

export interface JobPorts extends Pick<JobContext, 'groups'> {
  readonly database: SchemaStatements;
  readonly clock: Clock;
  readonly logger?: Logger;
  /** For jobs that ask the group-nodes. */
  readonly source?: JobContext['source'];
}

const noSource = new Proxy({} as JobContext['source'], {
  get: () => {
    throw new Error('this job has no group-nodes');
  },
});

/** Runs a job of the writer once, over an index that nobody else writes to. */
export const runJob = (
  job: BackgroundJob,
  { database, groups, clock, logger = silentLogger, source = noSource }: JobPorts,
): Promise<void> => {
  const { signal: stopping } = new AbortController();
  const writing: JobContext['writing'] = (work) => work(database);
  return job.run({ groups, reading: database, writing, unshown: () => [], source, clock, logger, stopping });
};
