import { RecentMap } from '../eviction/index.js';
import { type Clock } from '../lifecycle/index.js';

/** Rate of a client: `burst` at once, and then `perSecond`. */
export interface TokenRate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  readonly left: number;
  /** On the monotonic clock. */
  readonly at: number;
}

/** Clients whose buckets are kept: the least recently used are evicted first, and begin with a full one. */
const mostClients = 20_000;

/** A bucket of tokens for each client, in memory. It refills steadily. */
export class TokenBuckets {
  private readonly buckets = new RecentMap<string, Bucket>(mostClients);

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /**
   * Takes tokens of a client. Returns 0, or the milliseconds until there are enough of them, and then takes none.
   * @param count at most the burst
   */
  take(client: string, { perSecond, burst }: TokenRate, count = 1): number {
    const at = this.clock.monotonic();
    const before = this.buckets.get(client) ?? { left: burst, at };
    const left = Math.min(burst, before.left + (perSecond * (at - before.at)) / 1_000) - count;
    if (left < 0) return (-left / perSecond) * 1_000;
    this.buckets.set(client, { left, at });
    return 0;
  }
}
