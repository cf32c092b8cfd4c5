import { expect, it } from '@jest/globals';
import {
  bucketsOf,
  chainCountValues,
  csvOf,
  hashesOfBlock,
  hashRateValues,
  intervalOf,
  minuteValues,
  rangeOfAge,
  startsOf,
  sumOfChains,
} from './statistics.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** A Thursday. */
const now = Date.UTC(2026, 10, 26, 9, 30);

it('begins weeks on Monday, and the other buckets where their units begin', () => {
  expect(startsOf('year', 'weekly', now).slice(-2)).toEqual([Date.UTC(2026, 10, 16), Date.UTC(2026, 10, 23)]);
  expect(startsOf('month', 'daily', now).at(-1)).toBe(Date.UTC(2026, 10, 26));
  expect(startsOf('days', 'hourly', now)).toHaveLength(48);
  expect(startsOf('days', 'hourly', now).at(-1)).toBe(Date.UTC(2026, 10, 26, 9));
});

it('takes an interval only where the range has it', () => {
  expect(intervalOf('week', 'daily')).toBe('daily');
  expect(intervalOf('week', 'weekly')).toBe('hourly');
  expect(intervalOf('hour', undefined)).toBe('minutely');
});

it('begins with a range that a young network fills', () => {
  expect([0, 5 * hourMs, 30 * dayMs].map(rangeOfAge)).toEqual(['hour', 'days', 'month']);
});

it('puts a hash rate, which has the label of its end, into its bucket', () => {
  const starts = startsOf('days', 'hourly', now);
  const values = hashRateValues([{ timestamp: starts.at(-1)!, hashrate: '12.50' }], starts, 'hourly');
  expect(values.slice(-2)).toEqual([12.5, undefined]);
});

it('keeps the counts of each chain, and sums those that are known', () => {
  const starts = [0, hourMs, 2 * hourMs];
  const row = (timestamp: number, first: number, last: number) => ({
    timestamp,
    totalCountPerChain: [
      { chainFrom: 0, chainTo: 0, count: first },
      { chainFrom: 1, chainTo: 1, count: last },
    ],
  });
  const chains = chainCountValues([row(0, 3, 4), row(hourMs, 0, 0)], starts, 2);
  expect(chains[0]).toEqual([3, 0, undefined]);
  expect(chains[3]).toEqual([4, 0, undefined]);
  expect(sumOfChains(chains)).toEqual([7, 0, undefined]);
});

it('begins with the first block of the network', () => {
  const starts = startsOf('hour', 'minutely', now);
  expect(startsOf('hour', 'minutely', now, now - 5 * 60_000)).toEqual(starts.slice(-6));
  expect(startsOf('hour', 'minutely', now, now - 5 * 60_000 + 1)).toEqual(starts.slice(-6));
  expect(startsOf('hour', 'minutely', now, now - 5 * 60_000 - 1)).toEqual(starts.slice(-7));
  expect(startsOf('hour', 'minutely', now, now)).toEqual(starts.slice(-1));
  expect(startsOf('hour', 'minutely', now, now - 2 * hourMs)).toEqual(starts);
});

it('has no transactions in minutes without blocks, and no hash rate', () => {
  const starts = [0, 60_000, 120_000];
  expect(minuteValues(undefined, starts, 1)).toEqual({
    rates: [undefined, undefined, undefined],
    chains: [[undefined, undefined, undefined]],
  });
  const rows = [
    { timestamp: 0, hashrate: '12.50', counts: [1, 0, 0, 4] },
    { timestamp: 120_000, hashrate: '8.00', counts: [0, 2, 0, 0] },
  ];
  expect(minuteValues(rows, starts, 2)).toEqual({
    rates: [12.5, undefined, 8],
    chains: [
      [1, 0, 0],
      [0, 0, 2],
      [0, 0, 0],
      [4, 0, 0],
    ],
  });
});

it('says what a block costs as the protocol does', () => {
  expect(hashesOfBlock(4, 4)).toBe(1);
  expect(hashesOfBlock(1024, 4)).toBe(256);
});

it('quotes only what needs it', () => {
  expect(
    csvOf([
      ['Time', 'a, b', 'say "x"'],
      [1, 2.5, ''],
    ]),
  ).toBe('Time,"a, b","say ""x"""\n1,2.5,\n');
});

it('has weeks that are seven days long', () => expect(bucketsOf.weekly.lengthMs).toBe(7 * dayMs));
