/** protocol 00, decision 31; milliseconds, and how many siblings must disagree with our clock. */
const tolerated = 5_000;
const witnesses = 2;
/** A sibling that has been silent this long is no witness; milliseconds. */
const fresh = 30_000;

/** How far our clock is from those of the siblings, by their heartbeats (decision 31). All times in milliseconds. */
export class ClockOffsets {
  private readonly bySibling = new Map<number, { readonly offset: number; readonly at: number }>();

  /** A heartbeat that says `sentAt` arrived when our clock said `now`. */
  heard(sibling: number, sentAt: number, now: number): void {
    if (Number.isFinite(sentAt)) this.bySibling.set(sibling, { offset: now - sentAt, at: now });
  }

  /** Our clock minus theirs, when two siblings agree that it is more than 5 s away from them. */
  deviation(now: number): number | undefined {
    const far = [...this.bySibling.values()]
      .filter(({ offset, at }) => Math.abs(offset) > tolerated && Math.abs(now - at) < fresh)
      .map(({ offset }) => offset);
    return far.length >= witnesses ? far[0] : undefined;
  }
}
