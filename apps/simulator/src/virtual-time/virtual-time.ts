import { type Clock } from '@shardnode/core/lifecycle';
import { TimerQueue } from './timer-queue.js';

/** The `setImmediate` of the event loop, saved before it is replaced. */
const realImmediate = setImmediate;

/** A clock that can be stopped for its holder, with all of its timers. */
export interface MortalClock extends Clock {
  /** Milliseconds by which its wall clock is ahead of the others. */
  skew: number;
  /** Nothing that was started with it ever completes. */
  kill(): void;
}

/**
 * Time that advances only when nothing is left to do at a moment: then it jumps to the next timer. Actions due at the
 * same moment run in the order of their requests, so that one seed determines one run.
 */
export class VirtualTime {
  private readonly timers = new TimerQueue();
  private immediates: (() => void)[] = [];
  private elapsed = 0;

  /** @param startAt milliseconds since 1970 */
  constructor(private readonly startAt: number) {}

  /** Virtual milliseconds since the start. */
  get now(): number {
    return this.elapsed;
  }

  get wallClock(): number {
    return this.startAt + Math.floor(this.elapsed);
  }

  /** Calls once after `milliseconds`. */
  after(milliseconds: number, action: () => void): { cancel(): void } {
    const timer = this.timers.add(this.elapsed + Math.max(0, milliseconds), action);
    return { cancel: () => void (timer.isCancelled = true) };
  }

  /** Calls in the next event-loop tick, before time advances. */
  immediately(action: () => void): { cancel(): void } {
    let isCancelled = false;
    this.immediates.push(() => {
      if (!isCancelled) action();
    });
    return { cancel: () => void (isCancelled = true) };
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** @param skew milliseconds by which its wall clock is ahead */
  clock(skew = 0): MortalClock {
    let isDead = false;
    const clock: MortalClock = {
      skew,
      now: () => this.wallClock + clock.skew,
      monotonic: () => this.elapsed,
      after: (milliseconds, action) =>
        this.after(milliseconds, () => {
          if (!isDead) action();
        }),
      kill: () => {
        isDead = true;
      },
    };
    return clock;
  }

  /** Lets time pass until the promise settles. Throws when it never will. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
    };
    work.then(settled, settled);
    for (;;) {
      await this.finishTick();
      if (isSettled) return work;
      const next = this.timers.peek();
      if (!next) throw new Error('nothing is left that could happen, and what was begun has not ended');
      this.timers.take();
      this.elapsed = Math.max(this.elapsed, next.dueAt);
      next.action();
    }
  }

  /** Ends when neither promises nor immediates are left at this moment. */
  private async finishTick(): Promise<void> {
    do {
      const batch = this.immediates;
      this.immediates = [];
      // The event loop settles all promises between two of them, as it does for its own.
      for (const action of batch) realImmediate(action);
      await new Promise<void>((resolve) => realImmediate(resolve));
    } while (this.immediates.length > 0);
  }
}
