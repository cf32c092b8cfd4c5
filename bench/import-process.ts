/**
 * A group-node in a separate process, as in a cluster, which imports the blocks of a file on request. Two nodes in one
 * process would share heap, garbage collection and compiled code, which would distort the measurement.
 *
 * Run as a program with a channel to its parent: node import-process.ts TASK, an `ImportTask` as JSON.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { crowdedNetwork } from './crowded-chain.js';
import { type DatabasePlace, importAll, openAt, silentNode } from './silent-node.js';

export interface ImportTask {
  readonly place: DatabasePlace;
  /** Raw blocks as lines of hexadecimal digits. */
  readonly file: string;
  /** Blocks of the file that the database has already. */
  readonly skip: number;
}

/** Milliseconds by the wall, and of the processor time of the process, the embedded database included. */
export interface ImportCost {
  readonly elapsed: number;
  readonly processor: number;
}

export interface ImportProcess {
  importNext(count: number): Promise<ImportCost>;
  close(): Promise<void>;
}

const answer = async (child: ChildProcess): Promise<unknown> => {
  const ended = new AbortController();
  const failed = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`an importing process ended with code ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as unknown[];
    return message;
  } finally {
    ended.abort();
    failed.catch(() => undefined);
  }
};

export const startImportProcess = async (task: ImportTask): Promise<ImportProcess> => {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(task)], { stdio: 'inherit' });
  await answer(child);
  return {
    importNext: async (count) => {
      const reply = answer(child);
      child.send(count);
      return (await reply) as ImportCost;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};

const carryOut = async ({ place, file, skip }: ImportTask): Promise<void> => {
  const blocks = readFileSync(file, 'utf8').split('\n').slice(skip).map(hexToBytes);
  const { node, close } = await silentNode(crowdedNetwork, await openAt(place));
  process.on('message', (count: number) => {
    const [began, processor] = [performance.now(), process.cpuUsage()];
    void importAll(node, blocks.splice(0, count)).then(() => {
      const { user, system } = process.cpuUsage(processor);
      process.send!({ elapsed: performance.now() - began, processor: (user + system) / 1000 } satisfies ImportCost);
    });
  });
  process.once('disconnect', () => void close().then(() => process.exit()));
  process.send!('ready');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await carryOut(JSON.parse(process.argv[2]!) as ImportTask);
