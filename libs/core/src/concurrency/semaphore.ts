import { type Release, releaseOnce } from './release.js';

export interface SemaphoreOptions {
  /** Maximum number of concurrent holders. */
  readonly permits: number;
  /** Callers that may wait for a permit; one more is rejected at once. */
  readonly maxWaiting: number;
  /** Milliseconds: a caller that has waited longer is rejected when it reaches the front. Default: no limit. */
  readonly maxWaitMs?: number;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
  /** The error of a rejected caller. */
  readonly full: () => Error;
}

/** A counting semaphore with a bounded queue, first in, first out. */
export class Semaphore {
  private readonly queue: (() => void)[] = [];
  private held = 0;

  constructor(private readonly options: SemaphoreOptions) {}

  /** Runs the task with a permit, at once if one is free. Rejects with `full` or with the task's error. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const release = this.tryAcquire() ?? (await this.wait());
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Resolves with a permit. Rejects with `full`. */
  async acquire(): Promise<Release> {
    return this.tryAcquire() ?? this.wait();
  }

  private tryAcquire(): Release | undefined {
    if (this.held >= this.options.permits) return undefined;
    this.held += 1;
    return releaseOnce(() => this.release());
  }

  private async wait(): Promise<Release> {
    const { maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY, now = () => performance.now(), full } = this.options;
    if (this.queue.length >= maxWaiting) throw full();
    const since = now();
    await new Promise<void>((resolve) => this.queue.push(resolve));
    const release = releaseOnce(() => this.release());
    if (now() - since <= maxWaitMs) return release;
    release();
    throw full();
  }

  /**
   * Passes the permit directly to the caller that has waited longest: a permit that is free for a moment could go to a
   * newcomer.
   */
  private release(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.held -= 1;
  }
}
