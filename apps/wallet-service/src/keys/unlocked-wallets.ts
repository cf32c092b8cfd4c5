import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type UnlockedWallet } from './unlocked-wallet.js';

interface Held {
  readonly wallet: UnlockedWallet;
  timer: Timer;
}

/** An unlocking under way: it takes a second, and a lock that comes meanwhile wins. */
export interface Unlocking {
  readonly name: string;
}

/** The wallets that are unlocked now. Each locks itself some time after the last request that named it (protocol 07 §3.3). */
export class UnlockedWallets {
  private readonly held = new Map<string, Held>();
  /** Those that no lock has made void. */
  private readonly underWay = new Set<Unlocking>();

  constructor(
    private readonly clock: Clock,
    private readonly lockTimeoutMs: number,
  ) {}

  get(name: string): UnlockedWallet | undefined {
    return this.held.get(name)?.wallet;
  }

  /** Runs what may end in `hold`. */
  async unlocking<T>(name: string, run: (unlocking: Unlocking) => Promise<T>): Promise<T> {
    const unlocking: Unlocking = { name };
    this.underWay.add(unlocking);
    try {
      return await run(unlocking);
    } finally {
      this.underWay.delete(unlocking);
    }
  }

  /** Keeps the wallet unlocked. Where it was locked meanwhile, it stays so and the keys are forgotten. */
  hold(unlocking: Unlocking, wallet: UnlockedWallet): void {
    const { name } = unlocking;
    if (!this.underWay.has(unlocking)) {
      wallet.forget();
      return;
    }
    this.drop(name);
    this.held.set(name, { wallet, timer: this.startTimer(name) });
  }

  /** Starts the time anew: every request that names the wallet does, whatever comes of it. */
  touch(name: string): void {
    const held = this.held.get(name);
    if (!held) return;
    held.timer.cancel();
    held.timer = this.startTimer(name);
  }

  /** Forgets the keys, and those of unlockings that have begun. */
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
