import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type UnlockedWallet } from './unlocked-wallet.js';

interface Held {
  readonly wallet: UnlockedWallet;
  timer: Timer;
}

/** An unlocking in progress: it takes a second, and a lock that arrives meanwhile wins. */
export interface Unlocking {
  readonly name: string;
}

/** The unlocked wallets. Each locks itself some time after the last request that named it (protocol 07 §3.3). */
export class UnlockedWallets {
  private readonly held = new Map<string, Held>();
  /** Unlockings that no lock has invalidated. */
  private readonly underWay = new Set<Unlocking>();

  constructor(
    private readonly clock: Clock,
    private readonly lockTimeoutMs: number,
  ) {}

  get(name: string): UnlockedWallet | undefined {
    return this.held.get(name)?.wallet;
  }

  /** Runs an unlocking that may end in `hold`. */
  async unlocking<T>(name: string, run: (unlocking: Unlocking) => Promise<T>): Promise<T> {
    const unlocking: Unlocking = { name };
    this.underWay.add(unlocking);
    try {
      return await run(unlocking);
    } finally {
      this.underWay.delete(unlocking);
    }
  }

  /** Holds the wallet unlocked. If it was locked meanwhile, it stays locked and the keys are wiped. */
  hold(unlocking: Unlocking, wallet: UnlockedWallet): void {
    const { name } = unlocking;
    if (!this.underWay.has(unlocking)) {
      wallet.forget();
      return;
    }
    this.drop(name);
    this.held.set(name, { wallet, timer: this.startTimer(name) });
  }

  /** Restarts the timeout: every request that names the wallet does so, whatever its result. */
  touch(name: string): void {
    const held = this.held.get(name);
    if (!held) return;
    held.timer.cancel();
    held.timer = this.startTimer(name);
  }

  /** Wipes the keys, and invalidates unlockings in progress. */
  lock(name: string): void {
    for (const unlocking of this.underWay) if (unlocking.name === name) this.underWay.delete(unlocking);
    this.drop(name);
  }

  lockAll(): void {
    this.underWay.clear();
    for (const name of [...this.held.keys()]) this.drop(name);
  }

  private drop(name: string): void {
    const held = this.held.get(name);
    if (!held) return;
    held.timer.cancel();
    this.held.delete(name);
    held.wallet.forget();
  }

  private startTimer(name: string): Timer {
    return this.clock.after(this.lockTimeoutMs, () => this.drop(name));
  }
}
