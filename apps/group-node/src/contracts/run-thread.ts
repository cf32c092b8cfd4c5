import { type Worker } from 'node:worker_threads';
import { type Hash } from '@shardnode/protocol/primitives';
import { WorkerThread } from '../event-loop/worker-thread.js';
import { type RunJob, type RunResult } from './run-job.js';
import { type StateStore } from './run-memory.js';
import { type FromRunThread, type StateEntries, type ToRunThread } from './run-messages.js';

/** The thread of runs. */
export class RunThread {
  private readonly thread: WorkerThread<FromRunThread, RunResult>;

  constructor(
    script: URL,
    private readonly store: StateStore,
  ) {
    this.thread = new WorkerThread({
      script,
      name: 'the thread of runs',
      onMessage: (message, settle, worker) => {
        if (message.kind === 'load') return void this.load(worker, message.load, message.entries, message.hashes);
        const pending = settle(message.id);
        if (message.kind === 'result') pending?.resolve(message.result);
        else pending?.reject(new Error(message.why));
      },
    });
  }

  execute(job: RunJob): Promise<RunResult> {
    return this.thread.request((id): ToRunThread => ({ kind: 'run', id, job }));
  }

  close(): Promise<void> {
    return this.thread.close();
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
