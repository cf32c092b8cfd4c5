import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type UtxoSize } from '../../store/forms.js';
import { binCounts, binsOf, dustOf, heightOf, isPower, sizeText } from './bins.js';

const size = (from: bigint, utxoNumber: number, amount = from * BigInt(utxoNumber)): UtxoSize => ({
  from: String(from),
  utxoNumber,
  attoCoinAmount: String(amount),
});
const coin = 10n ** 18n;
const filled = (sizes: readonly UtxoSize[]) => binsOf(sizes).filter(({ number }) => number > 0);

it('has a bin for each size while that is enough, those that occur in the middle', () => {
  const bins = binsOf([size(coin / 10n, 7), size(coin / 2n, 3)]);
  expect(bins.map(({ number }) => number)).toEqual([0, 0, 0, 0, 7, 0, 3, 0, 0, 0, 0, 0]);
  expect(bins.slice(3, 8).map(({ from }) => from)).toEqual([coin / 20n, coin / 10n, coin / 5n, coin / 2n, coin]);
  expect(bins[4]).toEqual({ from: coin / 10n, number: 7, amount: (coin / 10n) * 7n });
});

it('takes powers of ten where sizes are far apart, and joins what is smaller than all of them', () => {
  expect(binsOf([size(coin / 1_000n, 2), size(200n * coin, 1)])).toHaveLength(17);
  expect(filled([size(coin / 1_000n, 2), size(coin / 200n, 4), size(1_000n * coin, 1)])).toEqual([
    { from: coin / 1_000n, number: 6, amount: coin / 500n + coin / 50n },
    { from: 1_000n * coin, number: 1, amount: 1_000n * coin },
  ]);
  const wide = binsOf([size(1n, 5), size(10n ** 27n, 1)]);
  expect([wide[0], wide.at(-1)]).toEqual([
    { from: 0n, number: 5, amount: 5n },
    { from: 10n ** 27n, number: 1, amount: 10n ** 27n },
  ]);
});

it('loses nothing, whatever the sizes', () => {
  const steps = fc.uniqueArray(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(steps, (chosen) => {
      const sizes = chosen
        .toSorted((a, b) => a - b)
        .map((step) => size([1n, 2n, 5n][step % 3]! * 10n ** BigInt(Math.floor(step / 3)), step + 1));
      const bins = binsOf(sizes);
      expect(bins.length).toBeGreaterThanOrEqual(binCounts.fewest);
      expect(bins.length).toBeLessThanOrEqual(binCounts.most);
      for (const [i, { from }] of bins.entries()) if (i > 0) expect(from).toBeGreaterThan(bins[i - 1]!.from);
      const all = (of: readonly { readonly number: number; readonly amount: bigint }[]) =>
        of.reduce<readonly [number, bigint]>((sum, { number, amount }) => [sum[0] + number, sum[1] + amount], [0, 0n]);
      expect(all(bins)).toEqual(
        all(sizes.map(({ utxoNumber, attoCoinAmount }) => ({ number: utxoNumber, amount: BigInt(attoCoinAmount) }))),
      );
      for (const { from, utxoNumber } of sizes) {
        const bin = bins.findLast((each) => each.from <= BigInt(from))!;
        expect(bin.number).toBeGreaterThanOrEqual(utxoNumber);
      }
    }),
  );
});

it('draws a single output among thousands', () => {
  expect([heightOf(0, 5_000), heightOf(1, 5_000), heightOf(2_500, 5_000), heightOf(5_000, 5_000)]).toEqual([
    0, 0.03, 0.5, 1,
  ]);
});

it('finds the outputs that a sweep would join: many, and together little', () => {
  const sizes = [size(coin / 100n, 1_000), size(coin / 20n, 204), size(1_000n * coin, 2)];
  expect(dustOf(binsOf(sizes))).toMatchObject({ number: 1_204, amount: 10n * coin + (coin / 20n) * 204n });
  expect(dustOf(binsOf([size(coin / 20n, 300), size(100n * coin, 2)]))).toMatchObject({
    below: coin / 10n,
    number: 300,
  });
  // A few larger ones do not say below what the many are.
  expect(dustOf(binsOf([size(coin / 20n, 300), size(10n * coin, 2), size(1_000n * coin, 2)]))).toMatchObject({
    below: coin / 10n,
    number: 300,
  });
  // Few; all that there is; most of it.
  expect(dustOf(binsOf([size(coin / 20n, 19), size(100n * coin, 2)]))).toBeUndefined();
  expect(dustOf(binsOf([size(coin / 20n, 300)]))).toBeUndefined();
  expect(dustOf(binsOf([size(coin / 20n, 300), size(coin, 2)]))).toBeUndefined();
});

it.each([
  [2_000_000n * coin, '2M'],
  [100_000n * coin, '100k'],
  [500n * coin, '500'],
  [coin, '1'],
  [coin / 2n, '0.5'],
  [coin / 20n, '0.05'],
  [coin / 1_000n, '0.001'],
  [coin / 2_000n, '5·10⁻⁴'],
  [1n, '10⁻¹⁸'],
])('writes the size %s as %s', (from, text) => {
  expect(sizeText(from)).toBe(text);
});

it('knows the powers of ten', () => {
  expect([1n, 10n, coin, 2n, 50n].map(isPower)).toEqual([true, true, true, false, false]);
});
