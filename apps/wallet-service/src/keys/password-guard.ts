import { type Clock } from '@shardnode/core/lifecycle';
import { ServiceError } from '@shardnode/core/errors';
import { type WalletStore } from '../storage/wallet-store.js';

const longestPauseMs = 15 * 60 * 1000;

/** Milliseconds to wait after the n-th wrong password in a row: the first is free, then 1, 2, 4 ... seconds (00-decisions, 7). */
export const pauseAfter = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(1000 * 2 ** (failures - 2), longestPauseMs);

/**
 * Slows down wrong passwords, wallet by wallet. A try is counted as wrong in the database before it is made and taken
 * back when it was right, so that neither parallel tries nor a killed process win any.
 */
export class PasswordGuard {
  private readonly turns = new Map<string, Promise<unknown>>();
  /** Monotonic end of the pause in this process; the stored wall-clock time serves the next one. */
  private readonly pauses = new Map<string, number>();

  constructor(
    private readonly store: WalletStore,
    private readonly clock: Clock,
  ) {}

  /** Runs `open` unless the wallet is paused; undefined from it means a wrong password. */
  guarded<T>(name: string, open: () => Promise<T | undefined>): Promise<T> {
    const before = this.turns.get(name) ?? Promise.resolve();
    const turn = before.then(() => this.attempt(name, open));
    const settled = turn.catch(() => undefined);
    this.turns.set(name, settled);
    void settled.then(() => {
      if (this.turns.get(name) === settled) this.turns.delete(name);
    });
    return turn;
  }

  private async attempt<T>(name: string, open: () => Promise<T | undefined>): Promise<T> {
    const failures = await this.store.failures(name);
    this.refuseWhilePaused(name, failures.blockedUntil);
    const count = failures.count + 1;
    const pause = pauseAfter(count);
    await this.store.setFailures(name, { count, blockedUntil: this.clock.now() + pause });
    this.pauses.set(name, this.clock.monotonic() + pause);
    const opened = await open();
    if (opened === undefined) throw new ServiceError('unauthorized', 'InvalidPassword', 'Invalid password');
    await this.forget(name);
    return opened;
  }

  /** A right password, and a wallet that was deleted, start anew. */
  async forget(name: string): Promise<void> {
    this.pauses.delete(name);
    await this.store.setFailures(name, { count: 0, blockedUntil: 0 });
  }

  private refuseWhilePaused(name: string, blockedUntil: number): void {
    const monotonicEnd = this.pauses.get(name);
    const left =
      monotonicEnd === undefined
        ? Math.min(blockedUntil - this.clock.now(), longestPauseMs)
        : monotonicEnd - this.clock.monotonic();
    if (left <= 0) return;
    const retryAfterSeconds = Math.ceil(left / 1000);
    throw new ServiceError(
      'throttled',
      'TooManyWrongPasswords',
      `Too many wrong passwords, try again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    );
  }
}
