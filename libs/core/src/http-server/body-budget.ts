import { RecentMap } from '../eviction/index.js';
import { Tally } from '../concurrency/index.js';
import { coreError } from '../errors/index.js';

export interface BodyBudgetLimits {
  /** Bytes of bodies being read, of all clients together. */
  readonly inAll: number;
  /** The same for one address. */
  readonly ofOne: number;
  /** Burst of one address in bytes, beyond its bytes per second; default: see `bodyBudgetLimits`. */
  readonly atOnce?: number;
  /** Bytes of one address that are read per second. */
  readonly inSecond?: number;
}

/** Allows a body of maximum size from each of several clients, besides those of all others. */
const bodyBudgetLimits = {
  inAll: 32 * 1024 * 1024,
  ofOne: 12 * 1024 * 1024,
  // Each chunk is memory outside the heap; some ten megabytes of it trigger a garbage collection that pauses the
  // process for 3 to 12 ms.
  atOnce: 4 * 1024 * 1024,
  inSecond: 4 * 1024 * 1024,
} as const satisfies BodyBudgetLimits;

const retryAfterSeconds = 1;
/** Number of clients whose rate is cached. */
const paced = 2_000;

/**
 * A budget for the bytes of incomplete request bodies in memory. Without a bound, many clients that send large bodies
 * slowly would fill the memory. One client cannot use the whole budget.
 */
export class BodyBudget {
  private readonly bytes = new Tally();
  /** Monotonic time at which a client's bytes so far would have arrived at its permitted rate. */
  private readonly readUntil = new RecentMap<string, number>(paced);
  private readonly limits: Required<BodyBudgetLimits>;

  constructor(
    limits: BodyBudgetLimits = bodyBudgetLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.limits = { ...bodyBudgetLimits, ...limits };
  }

  /** Bytes held now. */
  get held(): number {
    return this.bytes.total;
  }

  /** @throws ServiceError when the budget has no room for these bytes of this client; nothing is taken then */
  take(client: string, bytes: number): void {
    if (this.bytes.of(client) + bytes > this.limits.ofOne) {
      throw coreError(
        'TooManyRequests',
        `The bodies that this client is sending have more than ${this.limits.ofOne} bytes together`,
        { retryAfterSeconds },
      );
    }
    if (this.bytes.total + bytes > this.limits.inAll) {
      throw coreError(
        'ServerBusy',
        `The bodies that are being read have more than ${this.limits.inAll} bytes together`,
        { retryAfterSeconds },
      );
    }
    this.bytes.add(client, bytes);
  }

  /** Counts bytes that were read from a client. Returns the milliseconds to pause reading; 0: continue. */
  pauseAfter(client: string, bytes: number): number {
    const { atOnce, inSecond } = this.limits;
    const now = this.now();
    const until = Math.max(now, this.readUntil.get(client) ?? now) + (bytes / inSecond) * 1_000;
    this.readUntil.set(client, until);
    return Math.max(0, until - now - (atOnce / inSecond) * 1_000);
  }

  giveBack(client: string, bytes: number): void {
    this.bytes.subtract(client, bytes);
  }
}
