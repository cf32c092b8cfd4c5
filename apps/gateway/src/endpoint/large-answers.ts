import { errorOf } from '@shardnode/http';

export interface LargeAnswerLimits {
  /** Answers that are being made, or are made and not yet taken by their clients. */
  readonly atOnce: number;
  /** Requests that wait for their turn. */
  readonly waiting: number;
}

/** An answer of 300,000 outputs is some 80 megabytes of text. */
const defaultLimits: LargeAnswerLimits = { atOnce: 2, waiting: 8 };

const retryAfterSeconds = 5;

/**
 * Room for answers that are too large to be held in any number: a few at once, a few that wait for them, and the next one is
 * told to come back.
 */
export class LargeAnswers {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly limits: LargeAnswerLimits = defaultLimits) {
    this.free = limits.atOnce;
  }

  /** Resolves when there is room, with what gives it back. Throws `ServerBusy` when too many wait already. */
  async enter(): Promise<() => void> {
    if (this.free > 0) this.free--;
    else {
      if (this.queue.length >= this.limits.waiting) {
        throw errorOf('ServerBusy', `${this.limits.waiting} requests wait for their large answers already`, {
          retryAfterSeconds,
        });
      }
      await new Promise<void>((resolve) => this.queue.push(resolve));
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.leave();
      isHeld = false;
    };
  }

  /** The room goes to the one who has waited longest. */
  private leave(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}
