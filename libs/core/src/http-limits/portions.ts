/** Milliseconds of an event-loop tick per portion: pending work must not wait longer because all ticks are long. */
const portionMs = 10;

/**
 * Runs small tasks in portions: a bounded number per client and event-loop tick, the rest in the next ticks. After a
 * long tick a client gets one portion per ten milliseconds of it. So a burst of one client delays the others by one
 * portion, or by a small share of the time.
 */
export class Portions {
  /** Clients with work in this event-loop tick: the number of tasks done, and the pending tasks in order. */
  private clients = new Map<string, { done: number; readonly waiting: (() => void)[] }>();
  private tickBeganAt = 0;

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Runs the task now, unless the client has used its portion. */
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
