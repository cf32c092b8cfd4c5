import { isConnectionLost, unavailableReason, writerTaken } from '@shardnode/core/database';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { storeUnavailable } from '../store/index.js';

export interface RecoveryParts {
  readonly group: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rebuilds memory from the store. */
  readonly rebuild: () => Promise<void>;
  /** Schedules another attempt in the writer's queue. */
  readonly retry: () => void;
  /** Another process is the writer now: there is nothing to recover. */
  readonly onFatal: (error: Error) => void;
}

/** Milliseconds between two attempts. */
const pause = 500;

/** Reason for an error that says nothing about the database. */
const silence = 'its database does not answer';

interface Problem {
  /** As in `unavailableReason`. */
  readonly reason: string;
  /** Monotonic. */
  readonly since: number;
}

/**
 * Recovers memory. After a failed commit the writer's memory is ahead of the store, and after a lost lock another
 * writer may have changed the store. Memory is rebuilt from the store at once. While that fails, nothing may use it: a
 * block built on one that is not stored would leave a gap in the store.
 */
export class Recovery {
  private problem: Problem | undefined;
  /** The pause is over. Set by its timer, not by a clock: a timer may fire a fraction of a millisecond early. */
  private isDue = false;
  /** Locks lost so far: a loss during an attempt invalidates the attempt. */
  private losses = 0;
  /** At most one: an attempt that another caller triggers replaces the planned one. */
  private timer: Timer | undefined;

  constructor(private readonly parts: RecoveryParts) {}

  /**
   * The reason why the store cannot be used, a clause as of `unavailableReason`; undefined when memory is equal to the
   * store.
   */
  get reason(): string | undefined {
    return this.problem?.reason;
  }

  /** The writer's lock is lost, maybe while idle: an attempt is due at once. */
  lost(error: Error): void {
    this.losses++;
    this.note(error);
    this.isDue = true;
    this.parts.retry();
  }

  /** A commit has failed. A full disk gets a pause first: reads succeed, so that memory would be rebuilt at once. */
  async failed(error: unknown): Promise<void> {
    this.note(error);
    if (unavailableReason(error) === undefined || isConnectionLost(error)) return this.attempt();
    this.later();
  }

  /**
   * Called before each task of the writer: undefined when memory is equal to the store, else an attempt. Rejects as
   * `unavailable`.
   */
  before(): Promise<void> | undefined {
    return this.problem === undefined ? undefined : this.attemptOrRefuse(this.problem.since);
  }

  private async attemptOrRefuse(since: number): Promise<void> {
    if (this.isDue || this.parts.clock.monotonic() - since >= pause) await this.attempt();
    if (this.problem !== undefined) throw storeUnavailable(this.parts.group, this.problem.reason);
  }

  /** Never rejects: a failed attempt is retried, also without any caller. */
  private async attempt(): Promise<void> {
    const { losses } = this;
    this.isDue = false;
    this.timer?.cancel();
    try {
      await this.parts.rebuild();
      if (losses === this.losses) {
        this.problem = undefined;
        return;
      }
    } catch (error) {
      this.note(error);
      this.parts.logger.error({ err: error }, 'the rebuild of memory from the store failed');
      const taken = writerTaken(error);
      if (taken) this.parts.onFatal(taken);
    }
    this.later();
  }

  private note(error: unknown): void {
    this.problem = { reason: unavailableReason(error) ?? silence, since: this.parts.clock.monotonic() };
  }

  private later(): void {
    this.timer?.cancel();
    this.timer = this.parts.clock.after(pause, () => {
      this.isDue = true;
      this.parts.retry();
    });
  }
}
