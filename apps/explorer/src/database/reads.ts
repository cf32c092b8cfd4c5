import { type Database, statementStopped, unavailableReason } from '@shardnode/core/database';
import { ServiceError } from '@shardnode/core/errors';
import { explorerError } from '../errors.js';
import { inSnapshot, type Snapshot } from './snapshot.js';

const asAnswer = (error: unknown): unknown => {
  if (error instanceof ServiceError) return error;
  if ((error as { readonly code?: unknown }).code === statementStopped)
    return explorerError('QueryTimeout', 'Query timeout');
  return unavailableReason(error) === undefined
    ? error
    : Object.assign(explorerError('DatabaseUnavailable', 'Database unavailable'), { cause: error });
};

/** The index for answers. */
export class Reads {
  /** @param timeoutMs milliseconds for one statement */
  constructor(
    private readonly database: Database,
    private readonly timeoutMs: number,
  ) {}

  /**
   * All statements of an answer in one view of the index.
   * @throws ServiceError `QueryTimeout`, `DatabaseUnavailable`
   */
  async of<T>(run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    try {
      return await inSnapshot(this.database, run, this.timeoutMs);
    } catch (error) {
      throw asAnswer(error);
    }
  }
}
