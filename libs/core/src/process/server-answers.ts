import { DatabaseError } from '../database/database-error.js';
import { firstWords } from './first-words.js';

/** Whether a later attempt may succeed. False for a wrong password or a database that does not exist. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === 'Unreachable';

/** Resolves when one of the NATS servers sends its INFO line. */
export const natsAnswers = async (urls: readonly string[]): Promise<void> => {
  const failures: unknown[] = [];
  for (const url of urls) {
    try {
      const words = await firstWords(url, 4222);
      if (words.startsWith('INFO ')) return;
      failures.push(new Error('something else listens there'));
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0] ?? new Error('no server is named');
};

/** Resolves when Redis answers. Does not check credentials. */
export const redisAnswers = async (url: string): Promise<void> => {
  const words = await firstWords(url, 6379, { greeting: 'PING\r\n' });
  if (!/^[+-]/.test(words)) throw new Error('something else listens there');
};
