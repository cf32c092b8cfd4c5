import { MemoryCache, type Cache } from '@shardnode/core/cache';
import { TokenBuckets } from '@shardnode/core/http-limits';
import { type Clock } from '@shardnode/core/lifecycle';

export interface RateLimitSettings {
  /** The cache in which all gateways count together; absent: this one alone. */
  readonly shared: Cache | undefined;
  readonly clock: Clock;
}

/** A client with its own count. */
export interface CountedClient {
  /** Identifies the client in the caches. */
  readonly name: string;
  /** Limit of requests in each minute of the wall clock. */
  readonly limit: number;
}

/** A client above its limit. */
export interface Exceeded {
  readonly limit: number;
  readonly span: 'minute' | 'second';
  /** Seconds until the next request is allowed; at least 1. */
  readonly seconds: number;
}

const windowMs = 60_000;
/** Part of the limit of a minute that a burst may use and that refills per second, and its lower bound. */
const burstPart = 1 / 20;
const smallestBurst = 100;
/** Counts of some ten thousand clients; the least recently used are evicted first. */
const nearBytes = 8 * 1024 * 1024;

/**
 * Counts requests of clients in minutes of the wall clock, so that all gateways count in the same minute and know when
 * it ends. This gateway also counts its own requests: without a response of the shared cache the limit holds per
 * gateway. Bursts have a limit too, of this gateway alone: all requests of a minute at once would delay others. The
 * burst refills steadily, within a second.
 */
export class RateLimit {
  private readonly near: Cache;
  private readonly buckets: TokenBuckets;

  constructor(private readonly settings: RateLimitSettings) {
    this.near = new MemoryCache({ maxBytes: nearBytes, clock: settings.clock });
    this.buckets = new TokenBuckets(settings.clock);
  }

  /**
   * Counts a request as `weight` ones, at most as many as its limit: the first of a minute is always allowed.
   * Undefined: it is allowed.
   */
  async exceeded({ name, limit }: CountedClient, weight: number): Promise<Exceeded | undefined> {
    const { shared, clock } = this.settings;
    const now = clock.now();
    const burst = Math.max(smallestBurst, Math.ceil(limit * burstPart));
    const wait = this.buckets.take(name, { perSecond: burst, burst }, Math.min(weight, burst));
    if (wait > 0) return { limit: burst, span: 'second', seconds: 1 };
    const key = `rate:${Math.floor(now / windowMs)}:${name}`;
    const counted = Math.min(weight, limit);
    const near = (await this.near.count(key, windowMs, counted)) ?? 0;
    // A client above the limit here no longer causes requests to the shared cache.
    const count = near > limit ? near : Math.max(near, (await shared?.count(key, windowMs, counted)) ?? 0);
    if (count <= limit) return undefined;
    return { limit, span: 'minute', seconds: Math.max(1, Math.ceil((windowMs - (now % windowMs)) / 1_000)) };
  }
}
