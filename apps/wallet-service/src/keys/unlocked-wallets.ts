import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type UnlockedWallet } from './unlocked-wallet.js';

interface Held {
  readonly wallet: UnlockedWallet;
  timer: Timer;
}

/** The wallets that are unlocked now. Each locks itself some time after the last request that named it (protocol 07 §3.3). */
export class UnlockedWallets {
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly clock: Clock,
    private readonly lockTimeoutMs: number,
  ) {}

  get(name: string): UnlockedWallet | undefined {
    return this.held.get(name)?.wallet;
  }

  hold(name: string, wallet: UnlockedWallet): void {
    this.lock(name);
    this.held.set(name, { wallet, timer: this.startTimer(name) });
  }

  /** Starts the time anew: every request that names the wallet does, whatever comes of it. */
  touch(name: string): void {
    const held = this.held.get(name);
    if (!held) return;
    held.timer.cancel();
    held.timer = this.startTimer(name);
  }

  lock(name: string): void {
    const held = this.held.get(name);
    if (!held) return;
    held.timer.cancel();
    this.held.delete(name);
    held.wallet.forget();
  }

  lockAll(): void {
    for (const name of [...this.held.keys()]) this.lock(name);
  }

  private startTimer(name: string): Timer {
    return this.clock.after(this.lockTimeoutMs, () => this.lock(name));
  }
}
