import { ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { LogLimiter, type Logger } from '@shardnode/core/observability';
import { Stopping } from './stopping.js';

/**
 * What background work throws. While the store is away each of hundreds of tasks fails, again and again, for one reason
 * that is logged where it is: those are warnings, one a minute. An orderly stop is no fault at all.
 */
export class FaultLog {
  private readonly rarely: LogLimiter;

  constructor(
    private readonly logger: Logger,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.rarely = new LogLimiter(clock);
  }

  log(error: unknown, what: string, fields: object = {}): void {
    if (error instanceof Stopping) return this.logger.debug({ err: error, ...fields }, what);
    if (error instanceof ServiceError && error.kind === 'unavailable') {
      return this.expected(error.code, error, what, fields);
    }
    this.logger.error({ err: error, ...fields }, what);
  }

  /** A failure that follows from another one, which has been logged: a warning a minute for each `why`. */
  expected(why: string, error: unknown, what: string, fields: object = {}): void {
    this.rarely.log(`${what} ${why}`, (suppressed) =>
      this.logger.warn({ err: error, why, ...fields, suppressed }, what),
    );
  }
}
