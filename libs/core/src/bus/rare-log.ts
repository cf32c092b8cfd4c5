import { type Clock } from '../lifecycle/clock.js';

const everyMs = 60_000;
const keptKeys = 1_000;

/** Keeps what may happen thousands of times a second from filling the log: one line for each key and minute. */
export class RareLog {
  private readonly lastAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** True at most once a minute for the same key. */
  isDue(key: string): boolean {
    const now = this.clock.monotonic();
    const last = this.lastAt.get(key);
    if (last !== undefined && now - last < everyMs) return false;
    if (this.lastAt.size >= keptKeys) this.lastAt.clear();
    this.lastAt.set(key, now);
    return true;
  }
}
