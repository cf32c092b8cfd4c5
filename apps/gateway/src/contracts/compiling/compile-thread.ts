import { Worker } from 'node:worker_threads';
import { processStat } from '@shardnode/core/system-processes';
import { type CompileJob, type CompileOutcome, type FromCompileThread } from './compile-job.js';

/** Bounds of one job. */
export interface CompileLimits {
  /** Milliseconds of processor time. */
  readonly processorMs: number;
  /** Milliseconds since the job was sent, with the start of the thread. */
  readonly elapsedMs: number;
  /** Megabytes of the heap of the thread. */
  readonly heapMb: number;
}

/** The recursion of the compiler over 200 levels of nesting fits into it. */
const stackSizeMb = 8;
const youngGenerationMb = 16;

/** Milliseconds between two looks at the processor time of a job. */
const measureEveryMs = 50;

/** Milliseconds that a job has run so far: processor time, or where nobody measures it, time. */
const stopwatch = (task: string | undefined): (() => number) => {
  const since = performance.now();
  const before = task === undefined ? undefined : processStat(task)?.processorMs;
  return () => {
    const now = task === undefined ? undefined : processStat(task)?.processorMs;
    return before === undefined || now === undefined ? performance.now() - since : now - before;
  };
};

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * A thread that compiles one source at a time, with bounds of time and memory. A job above its bounds ends with its
 * thread; the next job starts a new one.
 */
export class CompileThread {
  private worker: Worker | undefined;

  constructor(
    private readonly script: URL,
    private readonly limits: CompileLimits,
  ) {}

  /** Rejects with a fault of the compiler or of the thread. */
  async compile(job: CompileJob): Promise<CompileOutcome> {
    const worker = (this.worker ??= this.open());
    const ended = new AbortController();
    try {
      return await this.outcomeOf(worker, job, ended.signal);
    } catch (error) {
      if (isOutOfMemory(error)) return { kind: 'exceeded', bound: 'memory' };
      throw error;
    } finally {
      ended.abort();
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private open(): Worker {
    const { heapMb } = this.limits;
    const resourceLimits = {
      maxOldGenerationSizeMb: heapMb,
      maxYoungGenerationSizeMb: youngGenerationMb,
      stackSizeMb,
    };
    const worker = new Worker(this.script, { resourceLimits });
    worker.unref();
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    return worker;
  }

  private outcomeOf(worker: Worker, job: CompileJob, ended: AbortSignal): Promise<CompileOutcome> {
    return new Promise((resolve, reject) => {
      const { processorMs, elapsedMs } = this.limits;
      const since = performance.now();
      let runMs = (): number => 0;
      const onMessage = (message: FromCompileThread): void => {
        if (message.kind === 'begun') runMs = stopwatch(message.task);
        else if (message.kind === 'fault') reject(new Error(message.why));
        else resolve(message);
      };
      const onExit = (): void => reject(new Error('the thread of the compiler has ended'));
      const giveUp = (outcome: CompileOutcome): void => {
        clearInterval(measure);
        worker.off('exit', onExit);
        this.end(worker).then(() => resolve(outcome), reject);
      };
      const measure = setInterval(() => {
        if (runMs() > processorMs) giveUp({ kind: 'exceeded', bound: 'time' });
        else if (performance.now() - since > elapsedMs) giveUp({ kind: 'starved' });
      }, measureEveryMs);
      worker.on('message', onMessage).on('error', reject).on('exit', onExit);
      ended.addEventListener('abort', () => {
        clearInterval(measure);
        worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      });
      worker.postMessage(job);
    });
  }

  /** Its memory is free before the next job begins. */
  private async end(worker: Worker): Promise<void> {
    if (this.worker === worker) this.worker = undefined;
    await worker.terminate();
  }
}
