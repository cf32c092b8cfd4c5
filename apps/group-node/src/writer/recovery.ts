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
  /** Another process writes by now: there is nothing to recover. */
  readonly onFatal: (error: Error) => void;
}

/** Milliseconds between two attempts. */
const pause = 500;

/** Where an error says nothing about the database. */
const silence = 'its database does not answer';

interface Problem {
  /** As in `unavailableReason`. */
  readonly reason: string;
  /** Monotonic. */
  readonly since: number;
}

/**
 * After a commit that failed the writer's memory is ahead of the store, and after a lost lock another writer may have
 * changed the store. Memory is rebuilt from the store at once; while that fails, nothing may be done with it: a block
 * built on one that is not stored would leave a gap in the store.
 */
export class Recovery {
  private problem: Problem | undefined;
  /** The pause is over. Said by its timer, not by a clock: a timer may fire a fraction of a millisecond early. */
  private isDue = false;
  /** Locks lost so far: one that is lost during an attempt makes it count for nothing. */
  private losses = 0;
  /** One at most: an attempt that somebody else has asked for takes the place of the one that was planned. */
  private timer: Timer | undefined;

  constructor(private readonly parts: RecoveryParts) {}

  /** Why the store cannot be used, a clause as of `unavailableReason`; undefined when memory is what the store says. */
  get reason(): string | undefined {
    return this.problem?.reason;
  }

  /** The writer's lock is lost, maybe while nothing is done: an attempt is due at once. */
  lost(error: Error): void {
    this.losses++;
    this.note(error);
    this.isDue = true;
    this.parts.retry();
  }

  /** A commit has failed. A full disk gets a pause first: reading works, so that memory would be rebuilt in no time. */
  async failed(error: unknown): Promise<void> {
    this.note(error);
    if (unavailableReason(error) === undefined || isConnectionLost(error)) return this.attempt();
    this.later();
  }

  /** Before each task of the writer: undefined when all is well, else an attempt. Rejects as `unavailable`. */
  before(): Promise<void> | undefined {
    return this.problem === undefined ? undefined : this.attemptOrRefuse(this.problem.since);
  }

  private async attemptOrRefuse(since: number): Promise<void> {
    if (this.isDue || this.parts.clock.monotonic() - since >= pause) await this.attempt();
    if (this.problem !== undefined) throw storeUnavailable(this.parts.group, this.problem.reason);
  }

  /** Never rejects: what fails here is tried again, also when nobody asks for anything. */
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
      this.parts.logger.error({ err: error }, 'memory cannot be made anew from the store');
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
