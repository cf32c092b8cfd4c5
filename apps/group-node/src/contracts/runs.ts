import { existsSync } from 'node:fs';
import { type Semaphore } from '@shardnode/core/concurrency';
import { errorOfFrame } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { type RunJob, type RunResult } from './run-job.js';
import { RunMemory } from './run-memory.js';
import { RunThread } from './run-thread.js';
import { runSemaphore } from './run-semaphore.js';
import { SmallCalls } from './small-calls.js';
import { stateStoreOf } from './state-store.js';

/** Several runs share the thread: one runs while the others load their state. A run takes up to half a second. */
const limits = { permits: 4, maxWaiting: 200, maxWaitMs: 8_000 };

type Finished = Exclude<RunResult, { readonly kind: 'error' }>;

/**
 * Makes runs without effects on their own thread, several concurrently, so that the node serves other requests
 * meanwhile. Small calls run in place, with the same results.
 */
export class Runs {
  private readonly semaphore: Semaphore;

  constructor(
    private readonly maker: { execute(job: RunJob): Promise<RunResult>; close?(): Promise<void> },
    clock: Pick<Clock, 'monotonic'>,
    private readonly small: Pick<SmallCalls, 'make'>,
  ) {
    this.semaphore = runSemaphore(limits, clock);
  }

  /** Throws ServiceError: a refusal of the run, or `TooManyRuns`. */
  async execute(job: RunJob): Promise<Finished> {
    const reply = job.kind === 'call' ? await this.small.make(job) : undefined;
    if (reply) return { kind: 'call', reply };
    const result = await this.semaphore.run(() => this.maker.execute(job));
    if (result.kind === 'error') throw errorOfFrame(result.error);
    return result;
  }

  async close(): Promise<void> {
    await this.maker.close?.();
  }
}

const builtWorker = new URL('./run-worker.js', import.meta.url);

/** Runs on a thread; in place when threads are disabled or the build is absent (run from source). */
export const openRuns = (
  node: Parameters<typeof stateStoreOf>[0],
  clock: Pick<Clock, 'monotonic'>,
  { threads = true, script = builtWorker }: { readonly threads?: boolean; readonly script?: URL } = {},
): Runs => {
  const store = stateStoreOf(node);
  const maker = threads && existsSync(script) ? new RunThread(script, store) : new RunMemory(store);
  return new Runs(maker, clock, new SmallCalls(node.state, clock));
};
