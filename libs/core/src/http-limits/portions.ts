/** Milliseconds of a turn for which a client has a portion: what waits must not wait longer because all turns are long. */
const portionMs = 10;

/**
 * Does small pieces of work in portions: so many of each client in a turn of the event loop, its further ones in the next turns;
 * in a turn that took long as many portions as it took tens of milliseconds. What one client brings at once holds up the others by
 * one portion, or by a small share of the time.
 */
export class Portions {
  /** Clients that had work in this turn: how much of it was done, and what waits, in its order. */
  private clients = new Map<string, { done: number; readonly waiting: (() => void)[] }>();
  private tickBeganAt = 0;

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Does it now, unless the client has had its portion. */
  add(client: string, work: () => void): void {
    if (this.clients.size === 0) this.beginTick();
    let own = this.clients.get(client);
    if (!own) this.clients.set(client, (own = { done: 0, waiting: [] }));
    if (own.done >= this.most) return void own.waiting.push(work);
    own.done += 1;
    work();
  }

  private beginTick(): void {
    this.tickBeganAt = this.now();
    setImmediate(() => this.nextTick());
  }

  private nextTick(): void {
    const before = this.clients;
    const most = this.most * Math.max(1, Math.floor((this.now() - this.tickBeganAt) / portionMs));
    this.clients = new Map();
    for (const [client, { waiting }] of before) {
      const now = waiting.splice(0, most);
      if (now.length === 0) continue;
      if (this.clients.size === 0) this.beginTick();
      this.clients.set(client, { done: now.length, waiting });
      for (const work of now) work();
    }
  }
}
