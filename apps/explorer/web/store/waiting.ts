import { allChains, indexOfChain } from './chains.js';
import { type Chain, type PendingEntry } from './forms.js';

/** A chain with the transactions that wait for it. */
export interface WaitingLane extends Chain {
  /** All of them, also those that have no dot. */
  readonly count: number;
  /** The oldest first. */
  readonly dots: readonly WaitingDot[];
}

export interface WaitingDot {
  readonly hash: string;
  /** 0: as old as the time that is shown, 1: now. */
  readonly place: number;
}

export interface WaitingLanes {
  readonly lanes: readonly WaitingLane[];
  /** Milliseconds from the left end to the right one. */
  readonly spanMs: number;
  /** For how long the oldest waits, milliseconds; undefined: nothing waits. */
  readonly oldestMs?: number;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** So close that the oldest dot stands in the left half, so far apart that the picture seldom changes its scale. */
const spans = [
  ...[15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 4, 8, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 12].map((hours) => hours * hourMs),
  ...[1, 2, 4, 7].map((days) => days * dayMs),
];

/** Dots of a lane: more would be one line. */
export const mostDots = 80;

/** How far apart dots stand at least, so that those of one moment are seen: an older one gives way to the left. */
export const dotStep = 0.012;

/** @param places the oldest first */
const apart = (places: readonly number[]): number[] => {
  let limit = 1;
  return places
    .toReversed()
    .map((place) => {
      const free = Math.max(0, Math.min(place, limit));
      limit = free - dotStep;
      return free;
    })
    .reverse();
};

/** @param now milliseconds since 1970 */
export const waitingLanes = (pending: Iterable<PendingEntry>, groups: number, now: number): WaitingLanes => {
  const oldestFirst = [...pending].sort((a, b) => a.lastSeen - b.lastSeen || (a.hash < b.hash ? -1 : 1));
  const [oldest] = oldestFirst;
  const oldestMs = oldest && Math.max(0, now - oldest.lastSeen);
  const spanMs = spans.find((ms) => ms >= (oldestMs ?? 0)) ?? oldestMs!;
  const byChain = allChains(groups).map((): PendingEntry[] => []);
  for (const entry of oldestFirst) byChain[indexOfChain(entry, groups)]!.push(entry);
  const place = ({ lastSeen }: PendingEntry): number => 1 - Math.max(0, now - lastSeen) / spanMs;
  const lanes = allChains(groups).map((chain, index) => {
    const shown = byChain[index]!.slice(0, mostDots);
    const places = apart(shown.map(place));
    const dots = shown.map(({ hash }, i) => ({ hash, place: places[i]! }));
    return { ...chain, count: byChain[index]!.length, dots };
  });
  return { lanes, spanMs, oldestMs };
};
