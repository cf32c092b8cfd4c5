import { ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';

/** Submits that a group may have in flight from this gateway: initial size, lower and upper bound. */
const sizes = { first: 256, least: 128, most: 1_024 };
/**
 * Milliseconds until a response: below `prompt` the window may grow; above `late`, in the mean of so many responses, it
 * shrinks. Single late responses do not count, because one of a hundred always is late.
 */
const answerTimes = { prompt: 500, late: 700, mean: 64 };
/** Growth of a window per prompt response, and the factor by which late responses shrink it. */
const [growth, shrinkage] = [0.5, 0.75];
/** Milliseconds between two reductions of a window: responses that are late for one reason shrink it once. */
const shrinksApart = 1_000;
/** Milliseconds for which a group that has refused one gets no submits; its queue does not run empty meanwhile. */
const restMs = 500;

/** A group has more work than it can do in time. */
export const isFull = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'QueueFull';

/**
 * The submits that one group has in flight, adapted to its latency: with more in flight it answers all of them later, and
 * none more of them.
 */
export class SubmitWindow {
  private size = sizes.first;
  private underWay = 0;
  private shrunkAt = Number.NEGATIVE_INFINITY;
  private restsUntil = Number.NEGATIVE_INFINITY;
  /** Mean of the milliseconds of the newest responses. */
  private took: number | undefined;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  get hasRoom(): boolean {
    return this.underWay < this.size && this.restsForMs <= 0;
  }

  /** Milliseconds until the group gets submits again; at most 0: now. */
  get restsForMs(): number {
    return this.restsUntil - this.clock.monotonic();
  }

  async through<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
    this.underWay += 1;
    const began = this.clock.monotonic();
    try {
      return await ask();
    } catch (error) {
      if (isFull(error)) {
        this.shrink();
        this.restsUntil = this.clock.monotonic() + restMs;
      }
      throw error;
    } finally {
      this.underWay -= 1;
      this.learn(this.clock.monotonic() - began);
    }
  }

  private learn(took: number): void {
    this.took = this.took === undefined ? took : this.took + (took - this.took) / answerTimes.mean;
    if (this.took > answerTimes.late) this.shrink();
    // A window that is not used says nothing about the capacity of the group.
    else if (took < answerTimes.prompt && 2 * this.underWay > this.size) {
      this.size = Math.min(sizes.most, this.size + growth);
    }
  }

  private shrink(): void {
    const now = this.clock.monotonic();
    if (now - this.shrunkAt < shrinksApart) return;
    this.shrunkAt = now;
    this.size = Math.max(sizes.least, this.size * shrinkage);
  }
}
