import { UnknownOutcomeError } from './database-error.js';

const lostConnectionCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '08000',
  '08003',
  '08006',
]);

/** Whether the error says that the server went away, so that what it was doing may or may not have taken effect. */
export const isConnectionLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && lostConnectionCodes.has(code)) return true;
  return /connection terminated|connection ended|server closed the connection/i.test(error.message);
};

/**
 * Runs a write whose outcome must be known. When the connection is lost in between, `readBack` says whether the write
 * took effect (it gets a new connection): true is success, false is the original error. When that fails too, every
 * `pause` once more, and after `attempts` UnknownOutcomeError: the writer must stop, because it no longer knows what is
 * stored.
 */
export const withKnownOutcome = async <T>(
  run: () => Promise<T>,
  readBack: () => Promise<boolean>,
  pause: () => Promise<void>,
  attempts = 20,
): Promise<T | undefined> => {
  try {
    return await run();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        if (await readBack()) return undefined;
      } catch (stillLost) {
        if (!isConnectionLost(stillLost)) throw stillLost;
        await pause();
        continue;
      }
      throw error;
    }
    throw new UnknownOutcomeError(error);
  }
};
