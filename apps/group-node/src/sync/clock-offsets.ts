import { type Clock } from '@shardnode/core/lifecycle';

/** protocol 00, decision 31; milliseconds, and how many siblings must disagree with our clock. */
const tolerated = 5_000;
const witnesses = 2;
/**
 * Milliseconds for which messages must report that a sibling's clock went back, until that is believed. Late messages
 * report the same, and they are more frequent than clocks that are set back.
 */
const doubted = 3_000;
/** Milliseconds by which a message may be later than others without a doubt. */
const usualDelay = 1_000;
/**
 * A sibling that is silent for so many milliseconds is no witness. The time is long because its last message stays
 * true: a node whose clock is off must not mine because the bus failed.
 */
const remembered = 600_000;

/** A sibling's clock at a moment of our monotonic clock. */
interface Reading {
  readonly sentAt: number;
  readonly at: number;
}

interface Witness {
  readonly reading: Reading;
  /** The best of the readings that report a clock further back, and the time of the first of them. */
  readonly doubt?: { readonly reading: Reading; readonly since: number };
}

/** The sibling's clock now: it advanced like the monotonic clock, whatever happened to our wall clock. */
const shownNow = ({ sentAt, at }: Reading, now: number): number => sentAt + (now - at);

/**
 * The offset of our clock from those of the siblings, by their messages (decision 31). Readings are stored against the
 * monotonic clock, so that a jump of our own wall clock counts at once, in both directions. A message can only be late,
 * never early. A message that reports a clock ahead of our estimate is believed at once; one that reports a clock
 * further back only after a while. Therefore a burst of old heartbeats, after a freeze of this process or a slow bus,
 * changes nothing.
 */
export class ClockOffsets {
  private readonly bySibling = new Map<number, Witness>();

  constructor(private readonly clock: Pick<Clock, 'now' | 'monotonic'>) {}

  /**
   * Records a message that arrives now and that the sibling sent when its clock showed `sentAt` (milliseconds since
   * 1970).
   */
  record(sibling: number, sentAt: number): void {
    if (!Number.isFinite(sentAt)) return;
    const reading = { sentAt, at: this.clock.monotonic() };
    this.bySibling.set(sibling, judged(this.bySibling.get(sibling), reading));
  }

  /** Our clock minus that of a sibling, milliseconds; undefined while it is no witness. */
  offset(sibling: number): number | undefined {
    const at = this.clock.monotonic();
    const reading = this.bySibling.get(sibling)?.reading;
    if (!reading || at - reading.at >= remembered) return undefined;
    return Math.round(this.clock.now() - shownNow(reading, at));
  }

  /** Our clock minus theirs, when two siblings agree that the difference exceeds 5 s; the smaller of the two. */
  deviation(): number | undefined {
    const at = this.clock.monotonic();
    const now = this.clock.now();
    const far = [...this.bySibling.values()]
      .map(({ reading }) => reading)
      .filter((reading) => at - reading.at < remembered)
      .map((reading) => Math.round(now - shownNow(reading, at)))
      .filter((offset) => Math.abs(offset) > tolerated)
      .sort((a, b) => Math.abs(a) - Math.abs(b));
    return far.length >= witnesses ? far[0] : undefined;
  }
}

const judged = (before: Witness | undefined, reading: Reading): Witness => {
  const { at, sentAt } = reading;
  if (!before || sentAt >= shownNow(before.reading, at) - usualDelay) return { reading };
  const { doubt } = before;
  const isBetter = !doubt || sentAt >= shownNow(doubt.reading, at) - usualDelay;
  const next = { reading: isBetter ? reading : doubt.reading, since: doubt?.since ?? at };
  return at - next.since >= doubted ? { reading: next.reading } : { reading: before.reading, doubt: next };
};
