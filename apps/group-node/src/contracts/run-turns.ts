import { ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';

export interface RunTurnLimits {
  /** Runs that are made at a time. */
  readonly atOnce: number;
  /** Runs that wait; one more is refused at once. */
  readonly mostWaiting: number;
  /** Milliseconds; whoever waits longer has been given up by its caller. */
  readonly longestWait: number;
}

const tooMany = (): ServiceError =>
  new ServiceError('throttled', 'TooManyRuns', 'Too many contracts are being run, ask again in a moment', {
    retryAfterSeconds: 1,
  });

/** Runs of code of clients in order of arrival, some at a time; who would not be answered in time is told to come back. */
export class RunTurns {
  private readonly queue: (() => void)[] = [];
  private active = 0;

  constructor(
    private readonly limits: RunTurnLimits,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Throws ServiceError `TooManyRuns`, and what the run throws. */
  async run<Result>(make: () => Promise<Result>): Promise<Result> {
    if (this.active < this.limits.atOnce) this.active += 1;
    else await this.turn();
    try {
      return await make();
    } finally {
      this.leave();
    }
  }

  private async turn(): Promise<void> {
    const { mostWaiting, longestWait } = this.limits;
    if (this.queue.length >= mostWaiting) throw tooMany();
    const since = this.clock.monotonic();
    await new Promise<void>((resolve) => this.queue.push(resolve));
    if (this.clock.monotonic() - since <= longestWait) return;
    this.leave();
    throw tooMany();
  }

  /** The place goes to the one who has waited longest. */
  private leave(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.active -= 1;
  }
}
