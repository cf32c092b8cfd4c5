import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { freePort } from './free-port.js';
import { requireProgram } from './programs.js';
import { type ServerProcess, startServer } from './server-process.js';

export interface RedisOptions {
  readonly folder: string;
  /** Default: a free one. */
  readonly port?: number;
}

const answersPing = (port: number) => (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(1_000, () => end(() => reject(new Error('no answer'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('data', (text) => end(() => (text.toString().startsWith('+PONG') ? resolve() : reject(new Error()))));
  });

/** A Redis of our own on loopback that keeps nothing on disk: it holds a cache. */
export const startRedis = async (options: RedisOptions): Promise<ServerProcess> => {
  const { folder } = options;
  const program = requireProgram('redis');
  const port = options.port ?? (await freePort());
  mkdirSync(folder, { recursive: true });
  const memory = ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'];
  return startServer({
    name: 'redis',
    port,
    url: `redis://127.0.0.1:${port}`,
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
    ],
    stopSignals: { fast: 'SIGTERM', immediate: 'SIGKILL' },
    answers: answersPing(port),
  });
};
