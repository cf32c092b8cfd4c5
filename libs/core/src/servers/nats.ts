import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstWords } from '../process/first-words.js';
import { freePort } from './free-port.js';
import { requireProgram } from './programs.js';
import { type ServerProcess, startServer } from './server-process.js';

export interface NatsOptions {
  readonly folder: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Further lines of the server's configuration: accounts and their permissions, not the address. */
  readonly configuration?: string;
}

/** Resolves when the server has sent its INFO line, which it sends first. */
const introducesItself = async (url: string): Promise<void> => {
  const words = await firstWords(url, 4222, { withinMs: 1_000 });
  if (!words.startsWith('INFO')) throw new Error('something else listens there');
};

/** Starts a NATS server on loopback, for messages of up to 8 MB. */
export const startNats = async (options: NatsOptions): Promise<ServerProcess> => {
  const { folder, configuration = '' } = options;
  const program = requireProgram('nats');
  const port = options.port ?? (await freePort());
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nats.conf');
  const lines = ['max_payload: 8MB', configuration, 'host: 127.0.0.1', `port: ${port}`];
  // May hold passwords.
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const url = `nats://127.0.0.1:${port}`;
  return startServer({
    name: 'nats',
    port,
    url,
    folder,
    program,
    args: ['-c', file],
    stopSignals: { fast: 'SIGINT', immediate: 'SIGKILL' },
    answers: () => introducesItself(url),
  });
};
