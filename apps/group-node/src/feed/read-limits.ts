import { type Clock } from '@shardnode/core/lifecycle';
import { tooManyFeedRequests } from '@shardnode/messages';

export interface ReadLimitsParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Called for each refusal. */
  readonly refused: (reason: RefusedRead) => void;
}

export type RefusedRead = 'at-once' | 'time';

/** Requests served at the same time (protocol 09 §7). */
const mostAtOnce = 4;
/** Milliseconds after which a place is free again, as a rule. */
const shortPause = 20;
/**
 * Part of one core that requests may take on average: less than protocol 09 §7 allows a node that catches up, because a
 * synced one shares its event loop with the import, too (bench/feed.bench.ts).
 */
const share = 0.1;
/** Milliseconds of requests that may be served at once after a pause. */
const burst = 500;
/** Estimates: milliseconds of one request, and bytes of a reply that are read and encoded in a millisecond. */
const cost = { request: 0.3, bytesPerMs: 20_000 };

/**
 * Admission of the feed's requests: a few at a time, and a share of the time. More are refused, never queued. The time
 * of a request is estimated by the bytes of its reply: its duration would count the waits for the database, too.
 */
export class ReadLimits {
  private active = 0;
  /** Milliseconds of requests that may follow. */
  private credit = burst;
  private at: number;

  constructor(private readonly parts: ReadLimitsParts) {
    this.at = parts.clock.monotonic();
  }

  /** Runs the request. `bytesOf`: those of its reply. @throws ServiceError `TooManyRequests` with `retryAfterMs` */
  run<T>(serve: () => Promise<T>, bytesOf: (reply: T) => number): Promise<T> {
    return this.admitted(serve, (reply) => bytesOf(reply) / cost.bytesPerMs);
  }

  /** The same for a request that computes: its cost is its duration, waits included. */
  runLong<T>(serve: () => Promise<T>): Promise<T> {
    const began = this.parts.clock.monotonic();
    return this.admitted(serve, () => this.parts.clock.monotonic() - began);
  }

  /** @param costOf milliseconds */
  private async admitted<T>(serve: () => Promise<T>, costOf: (reply: T) => number): Promise<T> {
    const { refused } = this.parts;
    if (this.active >= mostAtOnce) {
      refused('at-once');
      throw tooManyFeedRequests(`the group-node serves ${mostAtOnce} requests of followers at a time`, shortPause);
    }
    this.earn();
    if (this.credit <= 0) {
      refused('time');
      const pause = 1 - this.credit / share;
      throw tooManyFeedRequests('followers have had their share of the time of this group-node', pause);
    }
    this.active++;
    this.credit -= cost.request;
    try {
      const reply = await serve();
      this.credit -= costOf(reply);
      return reply;
    } finally {
      this.active--;
    }
  }

  /** Credits the time since the last request. */
  private earn(): void {
    const now = this.parts.clock.monotonic();
    this.credit = Math.min(burst, this.credit + (now - this.at) * share);
    this.at = now;
  }
}
