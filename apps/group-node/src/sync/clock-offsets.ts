import { type Clock } from '@shardnode/core/lifecycle';

/** protocol 00, decision 31; milliseconds, and how many siblings must disagree with our clock. */
const tolerated = 5_000;
const witnesses = 2;
/**
 * For how long messages must say that a sibling's clock is further back than it was, until that is believed; milliseconds.
 * Late messages say so too, and more of them are late than clocks are set back.
 */
const doubted = 3_000;
/** Milliseconds that messages may be later than others without being doubted. */
const usualDelay = 1_000;
/**
 * A sibling that has been silent this long is no witness; milliseconds. Long, because what it said stays true: a node whose
 * clock is off must not mine because the bus went away.
 */
const remembered = 600_000;

/** What a sibling's clock showed at a moment of our monotonic clock. */
interface Reading {
  readonly sentAt: number;
  readonly at: number;
}

interface Witness {
  readonly reading: Reading;
  /** The best of those that say that its clock is further back, and since when they do. */
  readonly doubt?: { readonly reading: Reading; readonly since: number };
}

/** The sibling's clock now: it has moved on like the monotonic one, whatever was done to our wall clock. */
const shownNow = ({ sentAt, at }: Reading, now: number): number => sentAt + (now - at);

/**
 * How far our clock is from those of the siblings, by what they sent (decision 31). Readings are kept against the monotonic
 * clock, so a jump of our own wall clock counts at once, in both directions. A message can only be late, never early: one
 * that says that a sibling's clock is ahead of what we thought is believed, one that says that it is further back only
 * after a while. So a burst of old heartbeats, after this process was frozen or the bus was slow, changes nothing.
 */
export class ClockOffsets {
  private readonly bySibling = new Map<number, Witness>();

  constructor(private readonly clock: Pick<Clock, 'now' | 'monotonic'>) {}

  /** A message arrives now that the sibling sent when its clock showed `sentAt` (milliseconds since 1970). */
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

  /** Our clock minus theirs, when two siblings agree that it is more than 5 s away from them; the smaller of the two. */
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
