import { ServiceError } from '@shardnode/core/errors';
import { type Logger } from '@shardnode/core/observability';

/** The node stops in order: what still waited was not done, and nothing is wrong. Callers are told 503 with the group. */
export class Stopping extends ServiceError {
  constructor(group: number) {
    super('unavailable', 'Stopping', `group-node ${group} is stopping`, { group });
    this.name = 'Stopping';
  }
}

/** Logs a fault of background work; an orderly stop is none. */
export const logFault = (logger: Logger, error: unknown, what: string, fields: object = {}): void =>
  logger[error instanceof Stopping ? 'debug' : 'error']({ err: error, ...fields }, what);
