import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { balancesAfter, balancesOf, balancesSince } from './balances.js';
import { type Transaction } from './forms.js';

const gain = (amount: bigint, timestamp: number): Transaction => {
  const part = (attoCoinAmount: string) => ({ address: 'anna', attoCoinAmount });
  const isGain = amount > 0n;
  const own = [part(String(isGain ? amount : -amount))];
  return { inputs: isGain ? [] : own, outputs: isGain ? own : [], timestamp } as unknown as Transaction;
};

it('goes back from the balance of now to that before the oldest transaction', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -1_000n, max: 1_000n }), { maxLength: 20 }), fc.nat(), (amounts, before) => {
      const sums = amounts.map((_, i) => amounts.slice(0, i + 1).reduce((sum, amount) => sum + amount, BigInt(before)));
      const newestFirst = amounts.map((amount, i) => gain(amount, i)).toReversed();
      const points = balancesOf(sums.at(-1) ?? 0n, newestFirst, 'anna');
      expect(points.map(({ balance }) => balance)).toEqual(amounts.length === 0 ? [] : [BigInt(before), ...sums]);
      expect(points.slice(1).map(({ timestamp }) => timestamp)).toEqual(amounts.map((_, i) => i));
    }),
  );
});

it('says the balance after each transaction, up to one of which it is not known what it changed', () => {
  const unknown = { inputs: [{ address: 'anna' }], outputs: [], timestamp: 2 } as unknown as Transaction;
  const newestFirst = [gain(5n, 4), gain(-2n, 3), unknown, gain(1n, 1)];
  expect(balancesAfter(10n, newestFirst, 'anna')).toEqual([10n, 5n, 7n, undefined]);
  expect(balancesOf(10n, newestFirst, 'anna').map(({ balance }) => balance)).toEqual([7n, 5n, 10n]);
});

it('says the balance since a time: as it is counted, and by transactions where they are listed', () => {
  const counted = {
    amountHistory: [
      [10, '5'],
      [20, '7'],
      [40, '9'],
    ],
  } as const;
  const listed = [
    { timestamp: 30, balance: 6n },
    { timestamp: 30, balance: 8n },
    { timestamp: 35, balance: 9n },
  ];
  const since = (...of: Parameters<typeof balancesSince>) =>
    balancesSince(...of).map(({ timestamp, balance }) => [timestamp, balance]);
  expect(since(0, listed, counted)).toEqual([
    [0, 0n],
    [10, 5n],
    [20, 7n],
    [30, 6n],
    [30, 8n],
    [35, 9n],
  ]);
  expect(since(15, listed, counted)).toEqual([
    [15, 5n],
    [20, 7n],
    [30, 6n],
    [30, 8n],
    [35, 9n],
  ]);
  expect(since(32, listed, undefined)).toEqual([
    [32, 8n],
    [35, 9n],
  ]);
  // The first of them is what was before the oldest one.
  expect(since(0, listed, undefined)).toEqual([
    [0, 6n],
    [30, 6n],
    [30, 8n],
    [35, 9n],
  ]);
  expect(since(5, [], undefined)).toEqual([[5, 0n]]);
});
