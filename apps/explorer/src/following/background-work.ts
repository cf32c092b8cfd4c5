import { type Clock, type Timer } from '@shardnode/core/lifecycle';

/** Repeated and tracked work beside the loop of an indexer. */
export class BackgroundWork {
  private readonly timers = new Set<Timer>();
  private readonly running = new Set<Promise<void>>();
  private isClosed = false;

  /** @param failed called with the error of work that rejects */
  constructor(
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Repeats an action, with a pause of so many milliseconds after each run. */
  repeat(milliseconds: number, action: () => Promise<void>): void {
    const timer = this.clock.after(milliseconds, () => {
      this.timers.delete(timer);
      if (this.isClosed) return;
      this.track(action().finally(() => this.repeat(milliseconds, action)));
    });
    this.timers.add(timer);
  }

  /** Waits for the work in `close`. */
  track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => this.failed(error))
      .finally(() => void this.running.delete(tracked));
    this.running.add(tracked);
  }

  /** Starts nothing more. */
  stop(): void {
    this.isClosed = true;
  }

  /** Resolves when the work in flight has ended. */
  async close(): Promise<void> {
    this.stop();
    for (const timer of this.timers) timer.cancel();
    await Promise.all(this.running);
  }
}
