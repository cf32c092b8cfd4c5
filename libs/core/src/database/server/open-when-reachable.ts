import { type Logger } from '../../observability/index.js';
import { DatabaseError } from '../database-error.js';
import { isConnectionLost } from '../unavailable.js';

export interface ReachOptions {
  readonly logger: Logger;
  /** Milliseconds after which it is given up; default one minute. */
  readonly withinMs?: number;
}

/** Milliseconds between two attempts, and between two lines of the log. */
const times = { pause: 500, line: 5_000 };

const isRefused = (error: unknown): boolean => error instanceof DatabaseError && error.code === 'AccessRefused';

/**
 * Runs `open` until the database answers: services and servers of a machine start together. `open` is run again only
 * after errors of the connection; any other goes on. When it takes too long the last error goes on, for
 * `DatabaseHost.check` one with a sentence for the person at the terminal.
 */
export const openWhenReachable = async <T>(
  open: () => Promise<T>,
  { logger, withinMs = 60_000 }: ReachOptions,
): Promise<T> => {
  const started = performance.now();
  let told = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      if (isRefused(error) || !isConnectionLost(error) || now - started >= withinMs) throw error;
      if (now - told >= times.line) {
        told = now;
        logger.warn({ err: error }, 'the database does not answer yet; waiting for it');
      }
      await new Promise((resolve) => setTimeout(resolve, times.pause));
    }
  }
};
