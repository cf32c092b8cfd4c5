import { type Clock, sleep } from '@shardnode/core/lifecycle';

/** Milliseconds that a rest takes at most. */
const longest = 1_000;

/**
 * Rests after work for as long as the work took: under load the work takes half of the time of its database, and more
 * gathers for the next, which costs little more then. So the further the index is behind, the more blocks are in one
 * transaction. On an idle network the rest is over before the next work comes.
 */
export class Rest {
  /** On the monotonic clock. */
  private until = 0;

  constructor(
    private readonly clock: Clock,
    /** Asked when the work has ended. */
    private readonly isWanted: () => boolean,
  ) {}

  /** Resolves when the rest is over. */
  async over(): Promise<void> {
    for (let left = this.left(); left > 0; left = this.left()) await sleep(this.clock, left);
  }

  /** Runs work, and rests after it. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    const began = this.clock.monotonic();
    try {
      return await work();
    } finally {
      const ended = this.clock.monotonic();
      if (this.isWanted()) this.until = ended + Math.min(longest, ended - began);
    }
  }

  private left(): number {
    return this.until - this.clock.monotonic();
  }
}
