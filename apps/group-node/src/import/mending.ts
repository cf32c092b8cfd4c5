import { ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';

export interface MendingParts {
  readonly group: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes the memory anew from the store. */
  readonly rebuild: () => Promise<void>;
  /** Calls for another attempt, in the writer's queue. */
  readonly again: () => void;
}

/** Milliseconds between two attempts. */
const pause = 500;

/**
 * After a commit that failed the writer's memory is ahead of the store. It is made anew from the store at once; while that
 * fails too, nothing may be done with it: a block built on one that is not stored would leave a gap in the store.
 */
export class Mending {
  private failedAt: number | undefined;
  /** The pause is over. Said by its timer, not by a clock: a timer may fire a fraction of a millisecond early. */
  private isDue = false;

  constructor(private readonly parts: MendingParts) {}

  /** The store does not answer, and memory is not what it says. */
  get isOverdue(): boolean {
    return this.failedAt !== undefined;
  }

  /** Before each task of the writer: undefined when all is well, else an attempt. Rejects as `unavailable`. */
  before(): Promise<void> | undefined {
    return this.failedAt === undefined ? undefined : this.attemptOrRefuse(this.failedAt);
  }

  /** Never rejects: what fails here is tried again, also when nobody asks for anything. */
  async attempt(): Promise<void> {
    const { clock, logger, rebuild, again } = this.parts;
    try {
      this.failedAt = clock.monotonic();
      this.isDue = false;
      await rebuild();
      this.failedAt = undefined;
    } catch (error) {
      this.failedAt = clock.monotonic();
      logger.error({ err: error }, 'memory cannot be made anew from the store');
      clock.after(pause, () => {
        this.isDue = true;
        again();
      });
    }
  }

  private async attemptOrRefuse(failedAt: number): Promise<void> {
    if (this.isDue || this.parts.clock.monotonic() - failedAt >= pause) await this.attempt();
    if (!this.isOverdue) return;
    const { group } = this.parts;
    throw new ServiceError('unavailable', 'StoreUnavailable', `the store of group ${group} does not answer`, { group });
  }
}
