import { UnknownOutcomeError } from './database-error.js';
import { isConnectionLost } from './unavailable.js';

export interface ReadBackOptions {
  /** Between two questions to a database that does not answer. */
  readonly pause: () => Promise<void>;
  /** Milliseconds after which the outcome is left unknown; default 5000: callers wait. */
  readonly patience?: number;
}

/**
 * Runs a write whose outcome must be known. When the connection is lost in between, `readBack` says whether the write
 * took effect: true is success, false is the original error. It must ask where the lost connection cannot be at work any
 * more: over the writer (`DatabaseWriter`). When that fails too, once more after every `pause`, and after `patience`
 * UnknownOutcomeError: the writer must start from what is stored, because it no longer knows what that is.
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
