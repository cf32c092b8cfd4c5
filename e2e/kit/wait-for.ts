import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  /** Milliseconds; default 50,000: before the 60 s of a test are over. */
  readonly timeoutMs?: number;
  /** Milliseconds between two looks; default 20. */
  readonly everyMs?: number;
}

/**
 * Looks until there is something, and returns it. Fails with what it waited for, and with the last error when looking
 * itself failed: a wait never takes longer than the thing waited for.
 */
export const waitFor = async <T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 50_000, everyMs = 20 }: Patience = {},
): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const found = await look();
      lastError = undefined;
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for ${what}${lastError ? `: ${String(lastError)}` : ''}`, {
        cause: lastError,
      });
    }
    await pause(everyMs);
  }
};
