import { setTimeout as pause } from 'node:timers/promises';

/** Refusals of a client in a second that are told at once. */
const promptRefusals = 50;
/** Milliseconds that a further one waits for its answer. */
const holdMs = 1_000;
/** Answers of all clients that wait; one more is told at once. */
const mostHeld = 2_000;

/**
 * Holds the answers of clients that go on asking although they were refused: whoever sends its next request when the last one
 * is answered, over however many connections, sends a few in a second then, and not as many as the machine can refuse.
 */
export class SlowRefusals {
  private refused = new Map<string, number>();
  private secondEndsAt = 0;
  private held = 0;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly hold: () => Promise<void> = () => pause(holdMs, undefined, { ref: false }),
  ) {}

  /** Resolves when the refusal may be told. */
  async turnOf(client: string): Promise<void> {
    const now = this.now();
    if (now >= this.secondEndsAt) {
      this.refused = new Map();
      this.secondEndsAt = now + 1_000;
    }
    const count = (this.refused.get(client) ?? 0) + 1;
    this.refused.set(client, count);
    if (count <= promptRefusals || this.held >= mostHeld) return;
    this.held += 1;
    await this.hold();
    this.held -= 1;
  }
}
