import { Worker } from 'node:worker_threads';
import { type Hash } from '@shardnode/protocol/primitives';
import { type RunJob, type RunResult } from './run-job.js';
import { type StateStore } from './run-memory.js';
import { type FromRunThread, type StateEntries, type ToRunThread } from './run-messages.js';

interface OpenThread {
  readonly worker: Worker;
  readonly waiting: Map<
    number,
    { readonly resolve: (result: RunResult) => void; readonly reject: (error: Error) => void }
  >;
}

/** The thread that makes runs, started for the first one; one that died is made anew. */
export class RunThread {
  private thread: OpenThread | undefined;
  private lastId = 0;
  private isClosed = false;

  constructor(
    private readonly script: URL,
    private readonly store: StateStore,
  ) {}

  carryOut(job: RunJob): Promise<RunResult> {
    if (this.isClosed) return Promise.reject(new Error('the thread of runs is closed'));
    const { worker, waiting } = (this.thread ??= this.open());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ kind: 'run', id, job } satisfies ToRunThread);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread?.worker.terminate();
  }

  private open(): OpenThread {
    const thread: OpenThread = { worker: new Worker(this.script), waiting: new Map() };
    const { worker, waiting } = thread;
    const ended = (error: Error): void => {
      if (this.thread === thread) this.thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.unref();
    worker.on('message', (message: FromRunThread) => this.heard(thread, message));
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the thread of runs has ended')));
    return thread;
  }

  private heard({ worker, waiting }: OpenThread, message: FromRunThread): void {
    if (message.kind === 'load') return void this.load(worker, message.load, message.entries, message.hashes);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'result') asked?.resolve(message.result);
    else asked?.reject(new Error(message.why));
  }

  private async load(worker: Worker, load: number, what: StateEntries, hashes: readonly Hash[]): Promise<void> {
    const { store } = this;
    const answer = await (what === 'nodes' ? store.loadNodes(hashes) : store.loadImmutables(hashes)).then(
      (entries): ToRunThread => ({ kind: 'entries', load, entries }),
      (error: unknown): ToRunThread => ({ kind: 'notLoaded', load, why: String(error) }),
    );
    worker.postMessage(answer);
  }
}
