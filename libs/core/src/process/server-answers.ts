import { connect } from 'node:net';
import { DatabaseError } from '../database/database-error.js';

const answerWithinMs = 3_000;

/** Whether the database may answer a later attempt. Not so for a wrong password or a database that does not exist. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === 'Unreachable';

const addressOf = (url: string, defaultPort: number): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
};

/** What a server sends first, or after `greeting`; rejects when nobody is there or says nothing. */
const firstWords = (url: string, defaultPort: number, greeting?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(addressOf(url, defaultPort), () => {
      if (greeting !== undefined) socket.write(greeting);
    });
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(answerWithinMs, () => end(() => reject(new Error('it does not answer'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('data', (bytes) => end(() => resolve(bytes.toString('latin1'))));
    socket.once('close', () => reject(new Error('it hangs up')));
  });

/** Resolves when one of the NATS servers introduces itself. */
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

/** Resolves when Redis answers; whether it lets us in is another question. */
export const redisAnswers = async (url: string): Promise<void> => {
  const words = await firstWords(url, 6379, 'PING\r\n');
  if (!/^[+-]/.test(words)) throw new Error('something else listens there');
};
