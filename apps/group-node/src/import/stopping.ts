import { type Logger } from '@shardnode/core/observability';

/** The node stops in order: what still waited was not done, and nothing is wrong. */
export class Stopping extends Error {
  constructor() {
    super('the group-node is stopping');
    this.name = 'Stopping';
  }
}

/** Logs a fault of background work; an orderly stop is none. */
export const logFault = (logger: Logger, error: unknown, what: string, fields: object = {}): void =>
  logger[error instanceof Stopping ? 'debug' : 'error']({ err: error, ...fields }, what);
