import { ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { LogLimiter, type Logger } from '@shardnode/core/observability';
import { Stopping } from './stopping.js';

/**
 * Logs errors of background work. While the store is unavailable hundreds of tasks fail repeatedly for one reason,
 * which is logged at its source: those failures are warnings, one a minute. A graceful shutdown is no fault.
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

  /** A failure that follows from another one, which is logged: a warning a minute for each `why`. */
  expected(why: string, error: unknown, what: string, fields: object = {}): void {
    this.rarely.log(`${what} ${why}`, (suppressed) =>
      this.logger.warn({ err: error, why, ...fields, suppressed }, what),
    );
  }
}
