import { ServiceError } from '../errors/index.js';

export interface BodyBudgetLimits {
  /** Bytes of bodies that are being read, of all clients together. */
  readonly inAll: number;
  /** The same of one address. */
  readonly ofOne: number;
}

/** Room for one body of the largest size from each of several clients, beside what everybody else sends. */
export const bodyBudgetLimits: BodyBudgetLimits = { inAll: 32 * 1024 * 1024, ofOne: 12 * 1024 * 1024 };

const retryAfterSeconds = 1;

/**
 * Bytes of request bodies that are in memory because their requests are not complete: without a bound, many clients that
 * send large bodies slowly would fill it. One client cannot take it all.
 */
export class BodyBudget {
  private bytes = 0;
  private readonly byClient = new Map<string, number>();

  constructor(private readonly limits: BodyBudgetLimits = bodyBudgetLimits) {}

  /** Bytes held now. */
  get held(): number {
    return this.bytes;
  }

  /** @throws ServiceError when there is no room for that many more bytes of this client; nothing is taken then */
  take(client: string, bytes: number): void {
    const own = (this.byClient.get(client) ?? 0) + bytes;
    if (own > this.limits.ofOne) {
      throw new ServiceError(
        'throttled',
        'TooManyRequests',
        `The bodies that this client is sending have more than ${this.limits.ofOne} bytes together`,
        { retryAfterSeconds },
      );
    }
    if (this.bytes + bytes > this.limits.inAll) {
      throw new ServiceError(
        'unavailable',
        'ServerBusy',
        `The bodies that are being read have more than ${this.limits.inAll} bytes together`,
        { retryAfterSeconds },
      );
    }
    this.byClient.set(client, own);
    this.bytes += bytes;
  }

  giveBack(client: string, bytes: number): void {
    const left = (this.byClient.get(client) ?? 0) - bytes;
    if (left > 0) this.byClient.set(client, left);
    else this.byClient.delete(client);
    this.bytes -= bytes;
  }
}
