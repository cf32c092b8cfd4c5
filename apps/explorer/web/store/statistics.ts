import { indexOfChain } from './chains.js';
import { type Chain } from './forms.js';

/** Numbers over time, in buckets of equal length that begin where those of the API do (protocol 08 §5.11). */

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

export type Interval = 'minutely' | 'hourly' | 'daily' | 'weekly';

interface Buckets {
  readonly lengthMs: number;
  /** Where one of them begins, milliseconds since 1970. */
  readonly origin: number;
}

export const bucketsOf: Readonly<Record<Interval, Buckets>> = {
  minutely: { lengthMs: minuteMs, origin: 0 },
  hourly: { lengthMs: hourMs, origin: 0 },
  daily: { lengthMs: dayMs, origin: 0 },
  // Weeks begin on Monday.
  weekly: { lengthMs: 7 * dayMs, origin: 4 * dayMs },
};

interface Range {
  readonly ms: number;
  /** Which buckets it can be shown in, the best first. */
  readonly intervals: readonly Interval[];
}

/** What can be looked at. */
export const ranges = {
  hour: { ms: hourMs, intervals: ['minutely'] },
  days: { ms: 2 * dayMs, intervals: ['hourly'] },
  week: { ms: 7 * dayMs, intervals: ['hourly', 'daily'] },
  month: { ms: 30 * dayMs, intervals: ['daily', 'hourly', 'weekly'] },
  year: { ms: 364 * dayMs, intervals: ['weekly', 'daily'] },
} as const satisfies Readonly<Record<string, Range>>;

export type RangeName = keyof typeof ranges;

export const isRange = (name: string): name is RangeName => Object.hasOwn(ranges, name);

/** The range that shows a network of this age best. @param ageMs milliseconds since its first block */
export const rangeOfAge = (ageMs: number): RangeName =>
  ageMs < 2 * hourMs ? 'hour' : ageMs < 4 * dayMs ? 'days' : 'month';

/** The interval that was asked for if the range has it, else its best one. */
export const intervalOf = (range: RangeName, asked: string | undefined): Interval => {
  const { intervals }: Range = ranges[range];
  return intervals.find((interval) => interval === asked) ?? intervals[0]!;
};

/**
 * The beginnings of the buckets of a range, oldest first; the last one is not over.
 * @param now milliseconds since 1970
 * @param first when the first block was made: nothing is shown before it
 */
export const startsOf = (range: RangeName, interval: Interval, now: number, first = 0): number[] => {
  const { lengthMs, origin } = bucketsOf[interval];
  const startOf = (time: number): number => Math.floor((time - origin) / lengthMs) * lengthMs + origin;
  const last = startOf(now);
  const sinceFirst = Math.max(0, (last - startOf(first)) / lengthMs) + 1;
  const count = Math.min(Math.ceil(ranges[range].ms / lengthMs), sinceFirst);
  return Array.from({ length: count }, (_, i) => last - (count - 1 - i) * lengthMs);
};

/** A value of each bucket; undefined: it has none. */
export type Values = readonly (number | undefined)[];

export interface HashRateRow {
  /** The end of its bucket. */
  readonly timestamp: number;
  readonly hashrate: string;
}

export const hashRateValues = (rows: readonly HashRateRow[], starts: readonly number[], interval: Interval): Values => {
  const rates = new Map(rows.map(({ timestamp, hashrate }) => [timestamp, Number(hashrate)]));
  return starts.map((start) => rates.get(start + bucketsOf[interval].lengthMs));
};

export interface ChainCountsRow {
  /** The start of its bucket. */
  readonly timestamp: number;
  readonly totalCountPerChain: readonly (Chain & { readonly count: number })[];
}

/** Transactions of each chain, by its index. */
export const chainCountValues = (
  rows: readonly ChainCountsRow[],
  starts: readonly number[],
  groups: number,
): readonly Values[] => {
  const byStart = new Map(
    rows.map(({ timestamp, totalCountPerChain }) => [
      timestamp,
      new Map(totalCountPerChain.map((each) => [indexOfChain(each, groups), each.count])),
    ]),
  );
  return Array.from({ length: groups * groups }, (_, chain) => starts.map((start) => byStart.get(start)?.get(chain)));
};

/** The sum of the chains in each bucket; undefined where no chain has a value. */
export const sumOfChains = (chains: readonly Values[]): Values =>
  (chains[0] ?? []).map((_, i) =>
    chains.every((values) => values[i] === undefined)
      ? undefined
      : chains.reduce((sum, values) => sum + (values[i] ?? 0), 0),
  );

/** A minute of the last hour that has blocks. */
export interface MinuteRow {
  /** The start of its bucket. */
  readonly timestamp: number;
  readonly hashrate: string;
  /** Transactions of each chain, by its index; block rewards left out. */
  readonly counts: readonly number[];
}

/**
 * The numbers of the minutes. Minutes without blocks have no hash rate and no transaction.
 * @param rows undefined: not known yet
 */
export const minuteValues = (
  rows: readonly MinuteRow[] | undefined,
  starts: readonly number[],
  groups: number,
): { readonly rates: Values; readonly chains: readonly Values[] } => {
  const byStart = new Map(rows?.map((row) => [row.timestamp, row]));
  const none = rows && 0;
  const found = starts.map((start) => byStart.get(start));
  return {
    rates: found.map((row) => row && Number(row.hashrate)),
    chains: Array.from({ length: groups * groups }, (_, chain) => found.map((row) => row?.counts[chain] ?? none)),
  };
};

/** What a block costs on average, in hashes (protocol 03 §9.4). @param hashRate of the network, hashes per second */
export const hashesOfBlock = (hashRate: number, groups: number): number => (hashRate * 64) / groups ** 4;

export interface Supply {
  /** The last millisecond of a day. */
  readonly timestamp: number;
  /** attoCoin, as decimals; so are the others. */
  readonly total: string;
  readonly circulating: string;
  readonly reserved: string;
  readonly locked: string;
  readonly maximum: string;
}

/** A table as a file: a field with a comma or a quote is quoted (RFC 4180). */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map((row) => row.map((field) => (/[",\r\n]/.test(`${field}`) ? `"${`${field}`.replaceAll('"', '""')}"` : field)))
    .map((row) => `${row.join(',')}\n`)
    .join('');
