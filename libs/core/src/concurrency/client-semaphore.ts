import { type Release, releaseOnce } from './release.js';
import { Tally } from './tally.js';

/** Bounds of all clients together, and of one of them. */
interface Bounds {
  readonly inAll: number;
  readonly ofOne: number;
}

export interface ClientSemaphoreOptions {
  /** Maximum numbers of concurrent holders. */
  readonly permits: Bounds;
  /** Callers that may wait for a permit; one more is rejected at once. */
  readonly waiting: Bounds;
  /** The errors of rejected callers: because of their own client, or of all. */
  readonly full: { readonly ofOne: () => Error; readonly inAll: () => Error };
}

interface Waiter {
  readonly client: string;
  readonly start: () => void;
}

/**
 * A counting semaphore that clients share: none holds more than its part, and a released permit goes to the waiting
 * client that holds the fewest, of these to the one that got none for longest. Clients without holders or waiters take no memory.
 */
export class ClientSemaphore {
  private readonly held = new Tally();
  private readonly queue: Waiter[] = [];
  /** Number of the last permit of each client that waits for another one. */
  private readonly lastTaken = new Map<string, number>();
  private taken = 0;

  constructor(private readonly options: ClientSemaphoreOptions) {}

  /** Resolves with a permit of the client. Rejects with an error of `full`, or with the reason of the signal. */
  async acquire(client: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (!this.isFree(client)) await this.wait(client, signal);
    else this.held.add(client);
    return releaseOnce(() => this.release(client));
  }

  private isFree(client: string): boolean {
    const { permits } = this.options;
    return this.held.total < permits.inAll && this.held.of(client) < permits.ofOne;
  }

  private wait(client: string, signal: AbortSignal | undefined): Promise<void> {
    const { waiting, full } = this.options;
    const own = this.queue.filter((waiter) => waiter.client === client).length;
    if (own >= waiting.ofOne) throw full.ofOne();
    if (this.queue.length >= waiting.inAll) throw full.inAll();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const index = this.queue.indexOf(waiter);
        if (index >= 0) this.queue.splice(index, 1);
        this.noteTaken(client);
        reject(signal?.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = { client, start };
      this.queue.push(waiter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private release(client: string): void {
    this.held.subtract(client);
    const next = this.nextWaiter();
    if (!next) return;
    this.queue.splice(this.queue.indexOf(next), 1);
    this.noteTaken(next.client, ++this.taken);
    // Before anybody else runs: a newcomer must not take it.
    this.held.add(next.client);
    next.start();
  }

  /** Only while the client waits: a client that asks for one after the other has a newcomer's place each time. */
  private noteTaken(client: string, number = this.lastTaken.get(client) ?? 0): void {
    if (this.queue.some((waiter) => waiter.client === client)) this.lastTaken.set(client, number);
    else this.lastTaken.delete(client);
  }

  /**
   * Of the clients that may have one more: those with the fewest; of these, the one that got none for longest, so that
   * one with many waiters delays others by one; of its callers, the one that has waited longest.
   */
  private nextWaiter(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.queue) {
      if (!this.isFree(waiter.client)) continue;
      if (!best || this.isBefore(waiter.client, best.client)) best = waiter;
    }
    return best;
  }

  private isBefore(client: string, other: string): boolean {
    const held = this.held.of(client) - this.held.of(other);
    return held < 0 || (held === 0 && (this.lastTaken.get(client) ?? 0) < (this.lastTaken.get(other) ?? 0));
  }
}
