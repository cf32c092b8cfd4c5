import { Injectable } from '@nestjs/common';
import { RecentMap } from '@shardnode/core/cache';
import { ServiceError } from '@shardnode/core/errors';
import { Clock } from '@shardnode/core/lifecycle';
import { queueFull } from '@shardnode/messages';
import { ApiSettings } from '../settings/api-settings.js';

/** Submits that a group may have under way from this gateway: at first, and whatever happens. */
const sizes = { first: 256, least: 128, most: 1_024 };
/** By how much of itself a window is exceeded by what was read because there was room, or another group wanted for work. */
const excess = 1 / 8;
/**
 * Milliseconds until an answer: below the first there is room for more; above the second, in the mean of so many answers, there
 * is less. Not for each that is late: one of a hundred always is.
 */
const answerTimes = { prompt: 500, late: 700, mean: 64 };
/** By how much a window grows with each prompt answer, and what is left of it when answers are late. */
const [growth, shrinkage] = [0.5, 0.75];
/** Milliseconds between two times that a window shrinks: answers that are late for one reason shrink it once. */
const shrinksApart = 1_000;
/** Milliseconds for which a group that had no time is not asked; its queue does not run empty meanwhile. */
const believed = 500;

/** Submits of some minutes, by the end of their bytes, which is of a signature. */
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

/** What one group can have under way, found by how long its answers take. */
class SubmitWindow {
  private size = sizes.first;
  private underWay = 0;
  private shrunkAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that the newest answers took, in the mean. */
  private took: number | undefined;
  private late: { readonly until: number; readonly refusal: ServiceError } | undefined;

  constructor(
    readonly group: number,
    private readonly clock: MonotonicClock,
  ) {}

  /** How many more it can have under way now. */
  get room(): number {
    return this.lateRefusal() === undefined ? Math.max(0, this.free) : 0;
  }

  /** Whether less than half of what it can do is under way: if it has room, it may soon have nothing to do. */
  get isWanting(): boolean {
    return this.free > this.size / 2;
  }

  private get free(): number {
    return Math.ceil(this.size - this.underWay);
  }

  /**
   * For a submit that was read, which costs most of what serving it does: it finds room where others are not read any more.
   *
   * @throws ServiceError `QueueFull`: the group's own, told again, or because more than it can do is under way
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

  /** What the group has said, while that is believed. */
  private lateRefusal(): ServiceError | undefined {
    return this.late && this.clock.monotonic() < this.late.until ? this.late.refusal : undefined;
  }

  private learn(took: number): void {
    this.took = this.took === undefined ? took : this.took + (took - this.took) / answerTimes.mean;
    if (this.took > answerTimes.late) this.shrink();
    // A window that is not used says nothing about what the group could do.
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
 * How many submits each group has under way from here. One more is refused, because a group that is given more than it can do
 * answers all of it late. Whoever sends again what has not been refused wants to know what became of it, and gets through.
 */
@Injectable()
export class SubmitWindows {
  private readonly windows: readonly SubmitWindow[];
  /** Sent to their groups, which have not refused them for want of time. */
  private readonly sent = new RecentMap<string, true>(remembered);
  /** Submits that are being read: their groups are not known yet. */
  private reading = 0;

  constructor(clock: Clock, { network }: ApiSettings) {
    this.windows = Array.from({ length: network.groups }, (_, group) => new SubmitWindow(group, clock));
  }

  /** @throws ServiceError `QueueFull` instead of asking the group */
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
   * Counts a submit, whatever group it is for, as being read until the function that this returns is called.
   *
   * @throws ServiceError `QueueFull`, with the names of all groups, when there is no room for more than are being read already,
   * or not in all groups. Were submits read for three groups that have room, one of four would be for the other one, and cost
   * ten times as much as one that is not read; those three have enough under way to wait for it, unless one of them wants for
   * work.
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
