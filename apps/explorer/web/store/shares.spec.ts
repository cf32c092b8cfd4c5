import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { segmentsOf, shareOf } from './shares.js';

it('makes shares of any amounts', () => {
  expect(shareOf(0n, 0n)).toBe(0);
  expect(shareOf(1n, 3n)).toBeCloseTo(1 / 3, 8);
  expect(shareOf(2n ** 255n, 2n ** 256n)).toBe(0.5);
});

it('puts the parts of a bar one after the other, in proportion, none beyond its end', () => {
  expect(segmentsOf([0.5, 0.25], 100, 2)).toEqual([
    { x: 0, width: 50 },
    { x: 50, width: 25 },
  ]);
  expect(segmentsOf([0.5, 0.0001, 0], 100, 2).map(({ width }) => width)).toEqual([50, 2, 0]);
  const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { maxLength: 10 });
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 10n ** 30n }), (parts, rest) => {
      const whole = parts.reduce((sum, part) => sum + part, rest);
      const segments = segmentsOf(
        parts.map((part) => shareOf(part, whole)),
        1_000,
        3,
      );
      let end = 0;
      for (const [i, { x, width }] of segments.entries()) {
        expect(x).toBeCloseTo(end, 6);
        expect(width > 0).toBe(shareOf(parts[i]!, whole) > 0);
        end = x + width;
      }
      expect(end).toBeLessThanOrEqual(1_000 + 1e-6);
    }),
  );
});
