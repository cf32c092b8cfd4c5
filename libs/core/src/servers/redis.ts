import { mkdirSync } from 'node:fs';
import { firstWords } from '../process/first-words.js';
import { freePort } from './free-port.js';
import { requireProgram } from './programs.js';
import { type ServerProcess, startServer } from './server-process.js';

export interface RedisOptions {
  readonly folder: string;
  /** Default: a free one. */
  readonly port?: number;
  /** ACL file of users; default: unrestricted access. */
  readonly usersFile?: string;
}

const answersPing = async (url: string): Promise<void> => {
  const words = await firstWords(url, 6379, { greeting: 'PING\r\n', withinMs: 1_000 });
  // With users it refuses unauthenticated commands with NOAUTH.
  if (!/^(\+PONG|-NOAUTH)/.test(words)) throw new Error('it does not answer PING');
};

/** Starts a Redis on loopback without persistence: it holds only a cache. */
export const startRedis = async (options: RedisOptions): Promise<ServerProcess> => {
  const { folder, usersFile } = options;
  const program = requireProgram('redis');
  const port = options.port ?? (await freePort());
  mkdirSync(folder, { recursive: true });
  const memory = ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'];
  const url = `redis://127.0.0.1:${port}`;
  return startServer({
    name: 'redis',
    port,
    url,
    folder,
    program,
    args: [
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...memory,
      ...(usersFile === undefined ? [] : ['--aclfile', usersFile]),
    ],
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: () => answersPing(url),
  });
};
