import { Injectable } from '@nestjs/common';
import { RecentMap } from '@shardnode/core/eviction';
import { ServiceError } from '@shardnode/core/errors';
import { Clock } from '@shardnode/core/lifecycle';
import { queueFull } from '@shardnode/messages';
import { ApiSettings } from '../settings/api-settings.js';

/** Submits that a group may have in flight from this gateway: initial size, lower and upper bound. */
const sizes = { first: 256, least: 128, most: 1_024 };
/** Part of a window by which submits that are read already may exceed it. */
const excess = 1 / 8;
/**
 * Milliseconds until a response: below `prompt` the window may grow; above `late`, in the mean of so many responses, it
 * shrinks. Single late responses do not count, because one of a hundred always is late.
 */
const answerTimes = { prompt: 500, late: 700, mean: 64 };
/** Growth of a window per prompt response, and the factor by which late responses shrink it. */
const [growth, shrinkage] = [0.5, 0.75];
/** Milliseconds between two reductions of a window: responses that are late for one reason shrink it once. */
const shrinksApart = 1_000;
/** Milliseconds for which an overloaded group gets no submits; its queue does not run empty meanwhile. */
const believed = 500;

/** Submits of some minutes, by their last bytes, which belong to a signature. */
const remembered = 20_000;
const markBytes = 64;

type Submit = { readonly template: Uint8Array };
type MonotonicClock = Pick<Clock, 'monotonic'>;

const markOf = ({ template }: Submit): string =>
  Buffer.from(template.buffer, template.byteOffset, template.byteLength).toString(
    'latin1',
    template.length - markBytes,
  );

const isFull = (error: unknown): error is ServiceError => error instanceof ServiceError && error.code === 'QueueFull';

/** The window of submits in flight of one group, adapted to its latency. */
class SubmitWindow {
  private size = sizes.first;
  private underWay = 0;
  private shrunkAt = Number.NEGATIVE_INFINITY;
  /** Mean of the milliseconds of the newest responses. */
  private took: number | undefined;
  private late: { readonly until: number; readonly refusal: ServiceError } | undefined;

  constructor(
    readonly group: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** Free capacity of the window now. */
  get room(): number {
    return this.lateRefusal() === undefined ? Math.max(0, this.free) : 0;
  }

  /** Whether less than half of the window is in use: the group may soon be idle. */
  get isWanting(): boolean {
    return this.free > this.size / 2;
  }

  private get free(): number {
    return Math.ceil(this.size - this.underWay);
  }

  /**
   * For a submit that is read already, which is most of its cost: it is admitted when unread submits no longer are.
   *
   * @throws ServiceError `QueueFull`: the cached refusal of the group, or because the window is full
   */
  checkRoom(): void {
    const late = this.lateRefusal();
    if (late) throw late;
    if (this.free <= -excess * this.size) throw queueFull(this.group);
  }

  async through<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
    this.underWay += 1;
    const began = this.clock.monotonic();
    try {
      return await ask();
    } catch (error) {
      if (isFull(error)) {
        this.shrink();
        this.late = { until: this.clock.monotonic() + believed, refusal: error };
      }
      throw error;
    } finally {
      this.underWay -= 1;
      this.learn(this.clock.monotonic() - began);
    }
  }

  /** The last refusal of the group, while it is valid. */
  private lateRefusal(): ServiceError | undefined {
    return this.late && this.clock.monotonic() < this.late.until ? this.late.refusal : undefined;
  }

  private learn(took: number): void {
    this.took = this.took === undefined ? took : this.took + (took - this.took) / answerTimes.mean;
    if (this.took > answerTimes.late) this.shrink();
    // A window that is not used says nothing about the capacity of the group.
    else if (took < answerTimes.prompt && 2 * this.underWay > this.size) {
      this.size = Math.min(sizes.most, this.size + growth);
    }
  }

  private shrink(): void {
    const now = this.clock.monotonic();
    if (now - this.shrunkAt < shrinksApart) return;
    this.shrunkAt = now;
    this.size = Math.max(sizes.least, this.size * shrinkage);
  }
}

/**
 * Limits the submits in flight of each group from this gateway. One more is refused, because an overloaded group
 * answers all of its submits late. A repeated submit that was not refused before is always admitted, because its client
 * needs the status.
 */
@Injectable()
export class SubmitWindows {
  private readonly windows: readonly SubmitWindow[];
  /** Submits sent to their groups and not refused because of overload. */
  private readonly sent = new RecentMap<string, true>(remembered);
  /** Submits that are being read: their groups are not known yet. */
  private reading = 0;

  constructor(clock: Clock, { network }: ApiSettings) {
    this.windows = Array.from({ length: network.groups }, (_, group) => new SubmitWindow(group, clock));
  }

  /** @throws ServiceError `QueueFull` instead of a request to the group */
  async through<Reply>(group: number, submit: Submit, ask: () => Promise<Reply>): Promise<Reply> {
    const mark = markOf(submit);
    if (this.sent.get(mark)) return ask();
    const window = this.windows[group]!;
    window.checkRoom();
    this.sent.set(mark, true);
    try {
      return await window.through(ask);
    } catch (error) {
      if (isFull(error)) this.sent.delete(mark);
      throw error;
    }
  }

  /**
   * Counts a submit of any group as being read until the returned function is called.
   *
   * @throws ServiceError `QueueFull`, with the names of all groups, when the submits that are being read use up the
   * capacity, or when a group is full. If submits were read while three of four groups have capacity, a quarter of them
   * would be for the full group, and each would cost ten times as much as an unread one. The three groups have enough
   * in flight to wait, unless one of them is nearly idle.
   */
  admit(): () => void {
    const open = this.windows.filter(({ room }) => room > 0);
    const room = open.reduce((sum, window) => sum + window.room, -this.reading);
    if (room <= 0 || (open.length < this.windows.length && !open.some(({ isWanting }) => isWanting))) {
      throw queueFull(...(this.windows.map(({ group }) => group) as [number, ...number[]]));
    }
    this.reading += 1;
    return () => {
      this.reading -= 1;
    };
  }
}
