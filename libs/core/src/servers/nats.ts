import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { requireProgram } from './programs.js';
import { type ServerProcess, startServer } from './server-process.js';

export interface NatsOptions {
  readonly folder: string;
  /** Default: a free one. */
  readonly port?: number;
  /** More lines of the server's configuration: accounts and their permissions. */
  readonly configuration?: string;
}

/** The server speaks first: it introduces itself. */
const introducesItself = (port: number) => (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.setTimeout(1_000, () => end(() => reject(new Error('no greeting'))));
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('data', (text) => end(() => (text.toString().startsWith('INFO') ? resolve() : reject(new Error()))));
  });

/** A NATS server of our own on loopback, for messages of up to 8 MB. */
export const startNats = async (options: NatsOptions): Promise<ServerProcess> => {
  const { folder, configuration = '' } = options;
  const program = requireProgram('nats');
  const port = options.port ?? (await freePort());
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nats.conf');
  const lines = ['host: 127.0.0.1', `port: ${port}`, 'max_payload: 8MB', configuration];
  // May hold passwords.
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return startServer({
    name: 'nats',
    port,
    url: `nats://127.0.0.1:${port}`,
    folder,
    program,
    args: ['-c', file],
    stopSignals: { fast: 'SIGINT', immediate: 'SIGKILL' },
    answers: introducesItself(port),
  });
};
