import { keyedMutex } from '@shardnode/core/concurrency';
import { serviceError } from '@shardnode/messages';
import { type Clock } from '@shardnode/core/lifecycle';
import { invalidPassword } from '../wallet-errors.js';

export interface PasswordFailures {
  /** Wrong passwords in a row. */
  readonly count: number;
  /** Wall clock, milliseconds: no password is tried before it. 0: no pause. */
  readonly blockedUntil: number;
}

/** Store of the wrong passwords of each wallet, for the next process too. */
export interface FailureStore {
  failures(name: string): Promise<PasswordFailures>;
  setFailures(name: string, failures: PasswordFailures): Promise<void>;
}

const longestPauseMs = 15 * 60 * 1000;
const noFailures: PasswordFailures = { count: 0, blockedUntil: 0 };

/**
 * Milliseconds of the pause after the n-th wrong password in a row: the first is free, then 1, 2, 4 ... seconds
 * (00-decisions, 7).
 */
export const pauseAfter = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(1000 * 2 ** (failures - 2), longestPauseMs);

/**
 * Slows down wrong passwords, per wallet. An attempt is counted as wrong in the store before it is made, and taken back
 * when the password was right or the attempt could not be made. Therefore neither parallel attempts nor a killed
 * process gain any.
 */
export class PasswordGuard {
  private readonly mutex = keyedMutex();
  /** Monotonic end of the pause in this process; the stored wall-clock time only serves the next process. */
  private readonly pauses = new Map<string, number>();

  constructor(
    private readonly store: FailureStore,
    private readonly clock: Clock,
  ) {}

  /** Runs `open` unless the wallet is paused (`TooManyWrongPasswords`); undefined from it is `InvalidPassword`. */
  guarded<T>(name: string, open: () => Promise<T | undefined>): Promise<T> {
    return this.mutex(name, () => this.attempt(name, open));
  }

  /** Runs a change that sets a new password and resets the stored count, while no password is tried; ends the pause. */
  whileNoneIsTried<T>(name: string, setPassword: () => Promise<T>): Promise<T> {
    return this.mutex(name, async () => {
      const result = await setPassword();
      this.pauses.delete(name);
      return result;
    });
  }

  private async attempt<T>(name: string, open: () => Promise<T | undefined>): Promise<T> {
    const failures = await this.store.failures(name);
    this.refuseWhilePaused(name, failures);
    const count = failures.count + 1;
    const pause = pauseAfter(count);
    await this.store.setFailures(name, { count, blockedUntil: this.clock.now() + pause });
    const opened = await this.tryOnce(name, failures, open);
    if (opened === undefined) {
      // The pause counts from the response, not from the attempt, which may have queued for its key stretching.
      if (pause > 0) this.pauses.set(name, this.clock.monotonic() + pause);
      throw invalidPassword(count, pause);
    }
    this.pauses.delete(name);
    await this.store.setFailures(name, noFailures);
    return opened;
  }

  /** An attempt that could not be made is no wrong password. */
  private async tryOnce<T>(
    name: string,
    before: PasswordFailures,
    open: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await open();
    } catch (error) {
      await this.store.setFailures(name, before);
      throw error;
    }
  }

  private refuseWhilePaused(name: string, failures: PasswordFailures): void {
    const left = this.pauseEnd(name, failures) - this.clock.monotonic();
    if (left <= 0) return;
    const retryAfterSeconds = Math.ceil(left / 1000);
    throw serviceError(
      'TooManyWrongPasswords',
      `After ${failures.count} wrong passwords in a row no other is tried before ${new Date(this.clock.now() + left).toISOString()}: try again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    );
  }

  /** Converts a stored end to a monotonic one at its first use: afterwards no jump of the wall clock changes it. */
  private pauseEnd(name: string, { count, blockedUntil }: PasswordFailures): number {
    const known = this.pauses.get(name);
    if (known !== undefined) return known;
    const left = Math.min(blockedUntil - this.clock.now(), pauseAfter(count));
    if (left <= 0) return 0;
    const end = this.clock.monotonic() + left;
    this.pauses.set(name, end);
    return end;
  }
}
