import { RecentMap } from '../cache/recent-map.js';
import { coreError } from '../errors/index.js';

export interface BodyBudgetLimits {
  /** Bytes of bodies that are being read, of all clients together. */
  readonly inAll: number;
  /** The same of one address. */
  readonly ofOne: number;
  /** Bytes that one address may send at once beside what it may send in a second; default: see `bodyBudgetLimits`. */
  readonly atOnce?: number;
  /** Bytes of one address that are read in a second. */
  readonly inSecond?: number;
}

/** Room for one body of the largest size from each of several clients, beside what everybody else sends. */
const bodyBudgetLimits = {
  inAll: 32 * 1024 * 1024,
  ofOne: 12 * 1024 * 1024,
  // Each piece is memory outside the heap; some ten megabytes of it are a garbage collection that stops everybody for 3 to 12 ms.
  atOnce: 4 * 1024 * 1024,
  inSecond: 4 * 1024 * 1024,
} as const satisfies BodyBudgetLimits;

const retryAfterSeconds = 1;
/** Clients whose speed is known. */
const paced = 2_000;

/**
 * Bytes of request bodies that are in memory because their requests are not complete: without a bound, many clients that
 * send large bodies slowly would fill it. One client cannot take it all.
 */
export class BodyBudget {
  private bytes = 0;
  private readonly byClient = new Map<string, number>();
  /** When all that a client has sent would have come at the speed that it may have, on the monotonic clock. */
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
    return this.bytes;
  }

  /** @throws ServiceError when there is no room for that many more bytes of this client; nothing is taken then */
  take(client: string, bytes: number): void {
    const own = (this.byClient.get(client) ?? 0) + bytes;
    if (own > this.limits.ofOne) {
      throw coreError(
        'TooManyRequests',
        `The bodies that this client is sending have more than ${this.limits.ofOne} bytes together`,
        { retryAfterSeconds },
      );
    }
    if (this.bytes + bytes > this.limits.inAll) {
      throw coreError(
        'ServerBusy',
        `The bodies that are being read have more than ${this.limits.inAll} bytes together`,
        { retryAfterSeconds },
      );
    }
    this.byClient.set(client, own);
    this.bytes += bytes;
  }

  /** Counts bytes that were read of a client. Milliseconds that it should not be read for now; 0: read on. */
  pauseAfter(client: string, bytes: number): number {
    const { atOnce, inSecond } = this.limits;
    const now = this.now();
    const until = Math.max(now, this.readUntil.get(client) ?? now) + (bytes / inSecond) * 1_000;
    this.readUntil.set(client, until);
    return Math.max(0, until - now - (atOnce / inSecond) * 1_000);
  }

  giveBack(client: string, bytes: number): void {
    const left = (this.byClient.get(client) ?? 0) - bytes;
    if (left > 0) this.byClient.set(client, left);
    else this.byClient.delete(client);
    this.bytes -= bytes;
  }
}
