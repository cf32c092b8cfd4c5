import { UnknownOutcomeError } from './database-error.js';
import { isConnectionLost } from './unavailable.js';

export interface ReadBackOptions {
  /** Waits between two attempts to read back from a database that does not answer. */
  readonly pause: () => Promise<void>;
  /** Milliseconds after which the outcome counts as unknown; default 5,000, because callers wait. */
  readonly patience?: number;
}

/**
 * Runs a write whose outcome must be known. If the connection is lost during the write, `readBack` reports whether the
 * write took effect: true is success, false rethrows the original error. `readBack` must read over the writer
 * (`DatabaseWriter`), which proves that the lost connection is no longer active. If the connection is lost again,
 * `readBack` is retried after every `pause`. After `patience` it throws UnknownOutcomeError: the writer must rebuild
 * from the database.
 */
export const withKnownOutcome = async <T>(
  run: () => Promise<T>,
  readBack: () => Promise<boolean>,
  { pause, patience = 5_000 }: ReadBackOptions,
): Promise<T | undefined> => {
  try {
    return await run();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    const until = performance.now() + patience;
    do {
      try {
        if (await readBack()) return undefined;
      } catch (stillLost) {
        if (!isConnectionLost(stillLost)) throw new UnknownOutcomeError(stillLost);
        await pause();
        continue;
      }
      throw error;
    } while (performance.now() < until);
    throw new UnknownOutcomeError(error);
  }
};
