/**
 * Does small pieces of work in portions: so many of each client in a turn of the event loop, its further ones in the next turns.
 * What one client brings at once holds up the others by one portion.
 */
export class Portions {
  /** Clients that had work in this turn: how much of it was done, and what waits, in its order. */
  private clients = new Map<string, { done: number; readonly waiting: (() => void)[] }>();

  constructor(private readonly most: number) {}

  /** Does it now, unless the client has had its portion. */
  add(client: string, work: () => void): void {
    if (this.clients.size === 0) setImmediate(() => this.nextTurn());
    let own = this.clients.get(client);
    if (!own) this.clients.set(client, (own = { done: 0, waiting: [] }));
    if (own.done >= this.most) return void own.waiting.push(work);
    own.done += 1;
    work();
  }

  private nextTurn(): void {
    const before = this.clients;
    this.clients = new Map();
    for (const [client, { waiting }] of before) {
      const now = waiting.splice(0, this.most);
      if (now.length === 0) continue;
      if (this.clients.size === 0) setImmediate(() => this.nextTurn());
      this.clients.set(client, { done: now.length, waiting });
      for (const work of now) work();
    }
  }
}
