import { parentPort } from 'node:worker_threads';
import { type Hash } from '@shardnode/protocol/primitives';
import { type RunJob } from './run-job.js';
import { RunMemory } from './run-memory.js';
import { type FromRunThread, type StateEntries, type ToRunThread } from './run-messages.js';

/** Code of the thread of runs. It requests the state from the main thread, which has the database. */
type Entries = ReadonlyMap<Hash, Uint8Array>;

const waiting = new Map<
  number,
  { readonly resolve: (entries: Entries) => void; readonly reject: (error: Error) => void }
>();
let lastLoad = 0;

const say = (message: FromRunThread): void => parentPort?.postMessage(message);

const ask = (entries: StateEntries, hashes: readonly Hash[]): Promise<Entries> =>
  new Promise((resolve, reject) => {
    const load = ++lastLoad;
    waiting.set(load, { resolve, reject });
    say({ kind: 'load', load, entries, hashes });
  });

const memory = new RunMemory({
  loadNodes: (hashes) => ask('nodes', hashes),
  loadImmutables: (hashes) => ask('immutables', hashes),
});

const execute = async (id: number, job: RunJob): Promise<void> => {
  try {
    say({ kind: 'result', id, result: await memory.execute(job) });
  } catch (error) {
    say({ kind: 'fault', id, why: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};

parentPort?.on('message', (message: ToRunThread) => {
  if (message.kind === 'run') return void execute(message.id, message.job);
  const load = waiting.get(message.load);
  waiting.delete(message.load);
  if (message.kind === 'entries') load?.resolve(message.entries);
  else load?.reject(new Error(message.why));
});
