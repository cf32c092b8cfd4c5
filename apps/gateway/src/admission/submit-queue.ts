import { ClientRotation } from '@shardnode/core/concurrency';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { groupRequests, queueFull } from '@shardnode/messages';
import { AnswerRate } from './answer-rate.js';
import { isFull, SubmitWindow } from './submit-window.js';

const { deadlineMs } = groupRequests['command.mempool.submit'];
/** Milliseconds that a submit waits here at most; the rest of its deadline is left to the group. */
const longestWaitMs = 0.8 * deadlineMs;
/** Milliseconds of work of the group for which new submits wait: less, because a rate is not exact. */
const queuedMs = 0.6 * deadlineMs;
/** Bounds of that work in submits: the memory that they take, and a group that has been silent. */
const lengths = { least: 64, most: 2_048 };
/** Bytes of a submit that count as one; a larger one counts once for each begun part. */
const bytesOfOne = 16 * 1024;
/** What a queue of this length may hold with submits that were refused and return in time. */
const withDue = longestWaitMs / queuedMs;
/** Longest wait that a refusal names, milliseconds. */
const longestNamedMs = 30_000;

interface Waiting {
  readonly client: string;
  /** What it counts for; see `bytesOfOne`. */
  readonly weight: number;
  /** Milliseconds, monotonic, at which it may no longer begin. */
  readonly until: number;
  /** Resolves with false when the group has no time for it: nothing was done. */
  readonly run: (leftMs: number) => Promise<boolean>;
  readonly refuse: () => void;
  timer: Timer;
}

/** A submit and its client. */
export interface QueuedSubmit {
  /** Name of the client; empty when unknown. */
  readonly client: string;
  readonly bytes: number;
  /** It was refused before, and returns at the named time. */
  readonly isDue: boolean;
}

/**
 * The submits of one group: those in flight, and those that wait because the window of those in flight is full. New ones
 * wait while the group can do all of them in time, by the rate of its answers. One more is refused, with the time until
 * there is room for it. Refusals that follow name later times, so that all who return find room.
 */
export class SubmitQueue {
  private readonly window: SubmitWindow;
  private readonly rate = new AnswerRate();
  private readonly waiting = new ClientRotation<Waiting>();
  /** Those that wait and those in flight, by their weight. */
  private used = 0;
  /** Milliseconds, monotonic: room that becomes free until then is promised to refused ones. */
  private promisedUntil = Number.NEGATIVE_INFINITY;
  private rest: Timer | undefined;

  constructor(
    readonly group: number,
    private readonly clock: Pick<Clock, 'monotonic' | 'after'>,
  ) {
    this.window = new SubmitWindow(clock);
  }

  /** Number of submits that may be read for it. */
  get room(): number {
    return Math.max(0, Math.floor(withDue * this.length - this.used));
  }

  /** Whether less than half of it is used: the group may soon be idle. */
  get isWanting(): boolean {
    return 2 * this.used < this.length;
  }

  /** Whether there is room for a new one. Promises leave no group idle. */
  get takesNew(): boolean {
    const now = this.clock.monotonic();
    const promised = Math.max(0, this.promisedUntil - now) / this.rate.msApart(now);
    return this.isWanting || this.used + promised < this.length;
  }

  /**
   * Asks the group as soon as its window allows. `ask` gets the milliseconds of the deadline that are left.
   *
   * @throws ServiceError `QueueFull` when it cannot be done in time; the error of `ask`
   */
  through<Reply>(submit: QueuedSubmit, ask: (leftMs: number) => Promise<Reply>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(queueFull([this.group], this.promise()));
      if (!this.takes(submit)) return refuse();
      const run = async (leftMs: number): Promise<boolean> => {
        try {
          resolve(await this.window.through(() => ask(leftMs)));
        } catch (error) {
          if (isFull(error)) return false;
          reject(error as Error);
        }
        return true;
      };
      const { client, bytes } = submit;
      const weight = Math.ceil(bytes / bytesOfOne);
      const until = this.clock.monotonic() + longestWaitMs;
      const entry: Waiting = { client, weight, until, run, refuse, timer: this.expiry(() => entry, longestWaitMs) };
      this.used += weight;
      this.waiting.push(client, entry);
      this.advance();
    });
  }

  /**
   * Promises the next free room to a refused submit; `share`: to one that may be for any of so many groups. Returns the
   * milliseconds until then.
   */
  promise(share = 1): number {
    const now = this.clock.monotonic();
    const apart = this.rate.msApart(now);
    const from = Math.max(this.promisedUntil, now + Math.max(0, this.used - this.length) * apart);
    if (from + apart - now > longestNamedMs) return longestNamedMs;
    this.promisedUntil = from + share * apart;
    return from + apart - now;
  }

  private get length(): number {
    const inTime = queuedMs / this.rate.msApart(this.clock.monotonic());
    return Math.max(lengths.least, Math.min(lengths.most, inTime));
  }

  /** Whether there is room, also in place of the newest submit of a client that has more of them. */
  private takes({ client, isDue }: QueuedSubmit): boolean {
    if (this.takesNew || (isDue && this.room > 0)) return true;
    const displaced = this.waiting.takeNewest(client);
    if (displaced) this.refuse(displaced);
    return displaced !== undefined;
  }

  private advance(): void {
    while (this.window.hasRoom) {
      const next = this.waiting.take();
      if (!next) return;
      next.timer.cancel();
      // A timer may be late.
      if (next.until <= this.clock.monotonic()) this.refuse(next);
      else void this.send(next);
    }
    const { restsForMs } = this.window;
    if (this.waiting.size === 0 || restsForMs <= 0) return;
    this.rest ??= this.clock.after(restsForMs, () => {
      this.rest = undefined;
      this.advance();
    });
  }

  private async send(entry: Waiting): Promise<void> {
    const leftMs = entry.until - this.clock.monotonic() + deadlineMs - longestWaitMs;
    if (await entry.run(leftMs)) {
      this.used -= entry.weight;
      this.rate.answered(this.clock.monotonic(), this.waiting.size > 0);
    } else this.putBack(entry);
    this.advance();
  }

  /** The group has no time for it yet. */
  private putBack(entry: Waiting): void {
    const leftMs = entry.until - this.clock.monotonic();
    if (leftMs <= 0) return this.refuse(entry);
    entry.timer = this.expiry(() => entry, leftMs);
    this.waiting.putBack(entry.client, entry);
  }

  private expiry(entryOf: () => Waiting, afterMs: number): Timer {
    return this.clock.after(afterMs, () => {
      const entry = entryOf();
      if (this.waiting.remove(entry.client, entry)) this.refuse(entry);
    });
  }

  /** It no longer waits. */
  private refuse(entry: Waiting): void {
    entry.timer.cancel();
    this.used -= entry.weight;
    entry.refuse();
  }
}
