import { setTimeout as pause } from 'node:timers/promises';

/** Refusals of a client in a second that are told at once. */
const promptRefusals = 50;
/** Milliseconds that a further one waits for its answer, and that lie between two such answers of a client. */
const [holdMs, apartMs] = [1_000, 10];
/** Answers of all clients that wait; one more is told at once. */
const mostHeld = 2_000;

interface Refused {
  /** In this second. */
  count: number;
  /** When the last answer that waits is told. */
  lastAt: number;
}

/**
 * Holds the answers of clients that go on asking although they were refused: whoever sends its next request when the last one
 * is answered, over however many connections, sends a few in a second then, and not as many as the machine can refuse. They are
 * told one by one: told together they would bring as many requests together.
 */
export class SlowRefusals {
  private refused = new Map<string, Refused>();
  private secondEndsAt = 0;
  private held = 0;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly hold: (ms: number) => Promise<void> = (ms) => pause(ms, undefined, { ref: false }),
  ) {}

  /** Resolves when the refusal may be told. */
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
