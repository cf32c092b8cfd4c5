import { setTimeout as pause } from 'node:timers/promises';

/** Refusals per client and second that are sent at once. */
const promptRefusals = 50;
/** Milliseconds that a further refusal is delayed, and milliseconds between two delayed refusals of a client. */
const [holdMs, apartMs] = [1_000, 10];
/** Bound of delayed refusals of all clients; one more is sent at once. */
const mostHeld = 2_000;

interface Refused {
  /** Number in this second. */
  count: number;
  /** Time at which the last delayed refusal is sent. */
  lastAt: number;
}

/**
 * Delays the refusals of clients that continue to send. A client that sends its next request after the last response,
 * over any number of connections, then sends a few per second instead of as many as the machine can refuse. The
 * refusals are sent one by one: sent together they would cause as many simultaneous requests.
 */
export class SlowRefusals {
  private refused = new Map<string, Refused>();
  private secondEndsAt = 0;
  private held = 0;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly hold: (ms: number) => Promise<void> = (ms) => pause(ms, undefined, { ref: false }),
  ) {}

  /** Resolves when the refusal may be sent. */
  async holdBack(client: string): Promise<void> {
    const now = this.now();
    if (now >= this.secondEndsAt) this.beginSecond(now);
    let own = this.refused.get(client);
    if (!own) this.refused.set(client, (own = { count: 0, lastAt: 0 }));
    own.count += 1;
    if (own.count <= promptRefusals || this.held >= mostHeld) return;
    own.lastAt = Math.max(now + holdMs, own.lastAt + apartMs);
    this.held += 1;
    await this.hold(own.lastAt - now);
    this.held -= 1;
  }

  private beginSecond(now: number): void {
    const waiting = [...this.refused].filter(([, { lastAt }]) => lastAt > now);
    this.refused = new Map(waiting.map(([client, { lastAt }]) => [client, { count: 0, lastAt }]));
    this.secondEndsAt = now + 1_000;
  }
}
