import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { leastSide, type Rectangle, treemapOf } from './treemap.js';

const coin = 10n ** 18n;
const areaOf = ({ width, height }: Rectangle): number => width * height;

it('has areas in the proportion of the amounts', () => {
  const amounts = [600n, 300n, 80n, 20n].map((coins) => coins * coin);
  const { rectangles, rest } = treemapOf(amounts, 600, 240);
  expect(rest).toBeUndefined();
  expect(rectangles[0]).toMatchObject({ x: 0, y: 0 });
  const areas = rectangles.map(areaOf);
  for (const [i, amount] of amounts.entries())
    expect(areas[i]! / (600 * 240)).toBeCloseTo(Number(amount) / Number(1_000n * coin), 1);
});

it('gives a single output all', () => {
  expect(treemapOf([1n], 600, 240)).toEqual({ rectangles: [{ x: 0, y: 0, width: 600, height: 240 }] });
});

it('joins those that are too small into one, as large as they are together', () => {
  const small = Array.from({ length: 300 }, () => coin / 20n);
  const { rectangles, rest } = treemapOf([1_000n * coin, 25n * coin, ...small], 600, 240);
  expect(rectangles).toHaveLength(2);
  expect(areaOf(rest!) / (600 * 240)).toBeCloseTo(15 / 1_040, 1);
});

it('draws what is next to nothing', () => {
  const { rectangles } = treemapOf([10n ** 27n, 1n], 600, 240);
  expect(areaOf(rectangles[1]!)).toBeGreaterThan(2_000);
  const { rest } = treemapOf([10n ** 27n, 1n, 1n], 600, 240);
  expect(areaOf(rest!)).toBeGreaterThan(2_000);
});

it('draws 399 equal ones in the window of a phone', () => {
  const { rectangles, rest } = treemapOf(
    Array.from({ length: 399 }, () => coin),
    280,
    240,
  );
  expect([rectangles.length, rest]).toEqual([399, undefined]);
});

it('has each amount once, large enough, inside and beside the others, whatever the amounts', () => {
  const someAmounts = fc.array(
    fc.oneof(
      fc.bigInt({ min: 1n, max: 10n ** 27n }),
      fc.nat(27).map((power) => 10n ** BigInt(power)),
    ),
    { minLength: 1, maxLength: 399 },
  );
  const [widths, heights] = [fc.integer({ min: 200, max: 1_200 }), fc.integer({ min: 160, max: 400 })];
  fc.assert(
    fc.property(someAmounts, widths, heights, (some, width, height) => {
      const amounts = some.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      const { rectangles, rest } = treemapOf(amounts, width, height);
      expect(rectangles.length).toBeGreaterThan(0);
      expect(amounts.length - rectangles.length).not.toBe(1);
      expect(rest === undefined).toBe(rectangles.length === amounts.length);
      const all = [...rectangles, ...(rest ? [rest] : [])];
      for (const [i, { x, y, width: wide, height: high }] of all.entries()) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(Math.min(wide, high)).toBeGreaterThanOrEqual(leastSide);
        expect(x + wide <= width && y + high <= height).toBe(true);
        const overlapping = all.filter(
          (other, j) =>
            j > i &&
            other.x < x + wide &&
            x < other.x + other.width &&
            other.y < y + high &&
            y < other.y + other.height,
        );
        expect(overlapping).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});
