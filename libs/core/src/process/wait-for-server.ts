import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from '../database/database-error.js';
import { type Logger } from '../observability/index.js';
import { StartFailure } from './start-failure.js';

/** Whether a failed attempt should be retried; false: the server refuses. */
type IsAway = (error: unknown) => boolean;

export interface WaitOptions {
  /** For people: `PostgreSQL`. */
  readonly server: string;
  /** The variable of its address, for the error of a failed start. */
  readonly setting: string;
  readonly logger: Logger;
  /** Ends the wait when the process is asked to stop. */
  readonly signal?: AbortSignal;
  readonly isAway?: IsAway;
  /** Milliseconds; default 60,000, and 5,000 between two log lines. */
  readonly patienceMs?: number;
  readonly logEveryMs?: number;
}

const betweenAttemptsMs = 250;

/** If all of several addresses fail, the first failure is sufficient. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof DatabaseError) return error.problem.replace(/\.$/, '');
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.message;
};

/**
 * Retries until the server answers, and logs the wait. Throws StartFailure with one sentence if it does not answer in
 * time or refuses, and the signal's reason if the process is asked to stop.
 */
export const waitForServer = async <T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> => {
  const { server, setting, logger, signal, isAway = () => true, patienceMs = 60_000, logEveryMs = 5_000 } = options;
  const began = performance.now();
  let nextLogAt = logEveryMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const reason = reasonOf(error);
      if (!isAway(error)) {
        if (error instanceof DatabaseError) throw error;
        throw new StartFailure(`${server} refuses this service (${reason}); check ${setting}.`, { cause: error });
      }
      const waited = performance.now() - began;
      if (waited >= patienceMs) {
        if (error instanceof DatabaseError) throw error;
        const seconds = Math.round(waited / 1000);
        throw new StartFailure(
          `${server} does not answer, ${seconds} s long (${reason}); start it, or say with ${setting} where it is.`,
          { cause: error },
        );
      }
      if (waited >= nextLogAt) {
        nextLogAt += logEveryMs;
        logger.warn({ server, reason, waitedMs: Math.round(waited) }, 'waiting for a server');
      }
    }
    await pause(betweenAttemptsMs, undefined, signal ? { signal } : {});
  }
};
