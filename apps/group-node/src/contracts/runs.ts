import { existsSync } from 'node:fs';
import { errorOfFrame, ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { type RunJob, type RunResult } from './run-job.js';
import { RunMemory, type StateStore } from './run-memory.js';
import { RunThread } from './run-thread.js';

/** So many share the thread: one runs while others wait for their state. */
const atOnce = 4;
/** A run takes up to half a second: who comes later would not be answered in time. */
const mostWaiting = 200;
/** Milliseconds; whoever waits longer has been given up by its caller. */
const longestWait = 8_000;

const tooMany = (): ServiceError =>
  new ServiceError('throttled', 'TooManyRuns', 'Too many contracts are being run, ask again in a moment', {
    retryAfterSeconds: 1,
  });

type Finished = Exclude<RunResult, { readonly kind: 'error' }>;

/** Makes runs that change nothing, on a thread of their own and some at a time: a node serves others meanwhile. */
export class Runs {
  private readonly queue: (() => void)[] = [];
  private active = 0;

  constructor(
    private readonly maker: { carryOut(job: RunJob): Promise<RunResult>; close?(): Promise<void> },
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Throws ServiceError: a refusal of the run, or `TooManyRuns`. */
  async carryOut(job: RunJob): Promise<Finished> {
    await this.turn();
    try {
      const result = await this.maker.carryOut(job);
      if (result.kind === 'error') throw errorOfFrame(result.error);
      return result;
    } finally {
      this.active -= 1;
      this.queue.shift()?.();
    }
  }

  async close(): Promise<void> {
    await this.maker.close?.();
  }

  private async turn(): Promise<void> {
    if (this.active >= atOnce) {
      if (this.queue.length >= mostWaiting) throw tooMany();
      const since = this.clock.now();
      await new Promise<void>((resolve) => this.queue.push(resolve));
      if (this.clock.now() - since > longestWait) {
        this.queue.shift()?.();
        throw tooMany();
      }
    }
    this.active += 1;
  }
}

const builtWorker = new URL('./run-worker.js', import.meta.url);

/** On a thread; in place where the build is not there (run from source). */
export const openRuns = (store: StateStore, clock: Pick<Clock, 'now'>, script: URL = builtWorker): Runs =>
  new Runs(existsSync(script) ? new RunThread(script, store) : new RunMemory(store), clock);
