import { type Clock } from '../lifecycle/clock.js';

/** Milliseconds that a request waits for an unreachable bus; its deadline, if that is shorter. */
export const longestWaitForBus = 1_000;

/** Whether the bus is reachable, and the callers that wait for it. */
export class Presence {
  private waiting = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private there = true,
  ) {}

  get isThere(): boolean {
    return this.there;
  }

  set(isThere: boolean): void {
    this.there = isThere;
    if (isThere) this.wake();
  }

  /** Resolves all waiting callers with the current state: it will not change any more. */
  wake(): void {
    for (const end of this.waiting) end();
  }

  /** True once the bus is reachable, false after `milliseconds`. */
  whenThere(milliseconds: number): Promise<boolean> {
    if (this.there) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.waiting.delete(end);
        resolve(this.there);
      };
      const timer = this.clock.after(milliseconds, end);
      this.waiting.add(end);
    });
  }
}
