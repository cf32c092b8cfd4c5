import { ClientRotation } from '@shardnode/core/concurrency';
import { type Clock, yieldToEventLoop } from '@shardnode/core/lifecycle';
import { tooManyRuns } from '../contracts/run-semaphore.js';

export interface FairLaneLimits {
  /** Pending tasks of all clients; above it the client with the most loses its newest one. */
  readonly maxWaiting: number;
  /** Milliseconds: a task that has waited longer is refused when it could begin. */
  readonly maxWaitMs: number;
  /** Multiple of the time of a failed task for which no other task begins. */
  readonly rest: number;
}

/** Milliseconds: a task that waited for the database may have taken long. */
const longestRest = 1_000;

/** Milliseconds of a task after which the lane yields to the event loop. */
const longTask = 4;

interface Pending {
  readonly since: number;
  readonly run: () => Promise<void>;
  readonly fail: (error: Error) => void;
}

/** One task at a time, of each client in rotation. A client with many tasks delays those of another by one. */
export class FairLane {
  private readonly waiting = new ClientRotation<Pending>();
  private isBusy = false;
  private restsUntil = 0;
  private endRest = (): void => undefined;
  private aborted: Error | undefined;

  constructor(
    private readonly limits: FairLaneLimits,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
  ) {}

  /** Rejects with the task's error, with `TooManyRuns`, or with the reason of an abort. */
  run<Result>(client: string, task: () => Promise<Result>): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    return new Promise((resolve, reject) => {
      const since = this.clock.monotonic();
      this.waiting.push(client, { since, run: () => task().then(resolve, reject), fail: reject });
      if (this.waiting.size > this.limits.maxWaiting) this.waiting.takeNewest()!.fail(tooManyRuns());
      if (!this.isBusy) void this.work();
    });
  }

  /** A task failed after so many milliseconds: the next one begins later. */
  rest(milliseconds: number): void {
    const now = this.clock.monotonic();
    const until = Math.max(now, this.restsUntil) + milliseconds * this.limits.rest;
    this.restsUntil = Math.min(until, now + longestRest);
  }

  /** Rejects all pending and all later tasks. */
  abort(reason: Error): void {
    this.aborted = reason;
    for (let next = this.waiting.take(); next; next = this.waiting.take()) next.fail(reason);
    this.endRest();
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    while (this.waiting.size > 0) {
      const began = this.clock.monotonic();
      if (this.restsUntil > began) {
        await this.pause(this.restsUntil - began);
        continue;
      }
      const next = this.waiting.take()!;
      if (began - next.since > this.limits.maxWaitMs) {
        next.fail(tooManyRuns());
        continue;
      }
      await next.run();
      if (this.clock.monotonic() - began > longTask) await yieldToEventLoop();
    }
    this.isBusy = false;
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.clock.after(milliseconds, resolve);
      this.endRest = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}
