import { MemoryCache, RecentMap, type Cache } from '@shardnode/core/cache';
import { type Clock } from '@shardnode/core/lifecycle';

export interface RateLimitSettings {
  /** Where all gateways count together; absent: this one alone. */
  readonly shared: Cache | undefined;
  readonly clock: Clock;
}

/** Somebody who is counted. */
export interface CountedClient {
  /** Names the client in the caches. */
  readonly name: string;
  /** Requests that it may send in each minute of the wall clock. */
  readonly limit: number;
}

/** A client that is over its limit. */
export interface Exceeded {
  readonly limit: number;
  readonly span: 'minute' | 'second';
  /** Until it may ask again; at least 1. */
  readonly seconds: number;
}

const windowMs = 60_000;
/** Of the limit of a minute, what may come at once and flows back in a second, and how much that is in any case. */
const burstPart = 1 / 20;
const smallestBurst = 100;
/** Some ten thousand clients; the counts of those that were not heard of for longest are forgotten first. */
const nearBytes = 8 * 1024 * 1024;
const bursts = 20_000;

/** What a client may still send at once. */
interface Bucket {
  readonly left: number;
  /** On the monotonic clock. */
  readonly at: number;
}

/**
 * Counts requests of clients in minutes of the wall clock, so that all gateways count in the same minute and know when it
 * ends. This gateway counts its own in any case: a shared cache that does not answer makes the limit one of each gateway.
 * What comes at once has a limit too, of this gateway alone: a whole minute's requests together would hold up others. What was
 * spent of it flows back steadily, within a second.
 */
export class RateLimit {
  private readonly near: Cache;
  private readonly buckets = new RecentMap<string, Bucket>(bursts);

  constructor(private readonly settings: RateLimitSettings) {
    this.near = new MemoryCache({ maxBytes: nearBytes, clock: settings.clock });
  }

  /** Counts a request as `weight` ones, at most as many as its limit has: the first of a minute may always go on. Undefined: it may go on. */
  async exceeded({ name, limit }: CountedClient, weight: number): Promise<Exceeded | undefined> {
    const { shared, clock } = this.settings;
    const now = clock.now();
    const burst = Math.max(smallestBurst, Math.ceil(limit * burstPart));
    if (!this.takes(name, burst, Math.min(weight, burst))) return { limit: burst, span: 'second', seconds: 1 };
    const key = `rate:${Math.floor(now / windowMs)}:${name}`;
    const counted = Math.min(weight, limit);
    const near = (await this.near.count(key, windowMs, counted)) ?? 0;
    // Who is over the limit here costs the shared cache nothing any more.
    const count = near > limit ? near : Math.max(near, (await shared?.count(key, windowMs, counted)) ?? 0);
    if (count <= limit) return undefined;
    return { limit, span: 'minute', seconds: Math.max(1, Math.ceil((windowMs - (now % windowMs)) / 1_000)) };
  }

  /** Takes so much of what the client may send at once, if that is left. */
  private takes(name: string, burst: number, wanted: number): boolean {
    const at = this.settings.clock.monotonic();
    const before = this.buckets.get(name) ?? { left: burst, at };
    const left = Math.min(burst, before.left + (burst * (at - before.at)) / 1_000) - wanted;
    if (left < 0) return false;
    this.buckets.set(name, { left, at });
    return true;
  }
}
