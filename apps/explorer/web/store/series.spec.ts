import { expect, it } from '@jest/globals';
import { madeBlock } from './made-blocks.js';
import {
  blockTimes,
  hashRates,
  mean,
  rewardsOf,
  seriesLength,
  transactionsPerSecond,
  transactionTotals,
} from './series.js';

const start = 1_700_000_000_000;
/** One block a second for 80 seconds, newest first, each with one transaction of a user. */
const blocks = Array.from({ length: 80 }, (_, i) =>
  madeBlock(i % 2, i, { txNumber: 2, hashRate: String(i) }),
).reverse();
const now = start + 80_000;

it('counts transactions of users a second', () => {
  const rates = transactionsPerSecond(blocks, now);
  expect(rates).toHaveLength(seriesLength);
  expect(rates.every((rate) => rate === 1)).toBe(true);
  expect(transactionsPerSecond([], now)).toEqual([]);
});

it('counts up to the total', () => {
  const totals = transactionTotals(blocks, now, 1_000);
  expect([totals[0], totals.at(-1)]).toEqual([1_000 - 160 + 4, 1_000]);
});

it('takes the newest rates and times, oldest first', () => {
  expect(hashRates(blocks)).toEqual(Array.from({ length: seriesLength }, (_, i) => 40 + i));
  expect(blockTimes(blocks, 4)).toEqual(Array.from({ length: seriesLength }, () => 2_000));
  expect([mean([1, 3]), mean([])]).toEqual([2, 0]);
});

it('counts one block reward for each block after genesis', () => {
  expect([rewardsOf(16, 4), rewardsOf(1_079, 4), rewardsOf(0, 4)]).toEqual([0, 1_063, 0]);
});
