import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { pageNumbers } from './page-numbers.js';

it('has the first, the last and the pages beside the chosen one', () => {
  expect(pageNumbers(1, 0)).toEqual([1]);
  expect(pageNumbers(1, 1)).toEqual([1]);
  expect(pageNumbers(1, 3)).toEqual([1, 2, 3]);
  expect(pageNumbers(7, 50)).toEqual([1, undefined, 5, 6, 7, 8, 9, undefined, 50]);
  expect(pageNumbers(50, 50)).toEqual([1, undefined, 48, 49, 50]);
  // A page behind the last one, by its address.
  expect(pageNumbers(9, 2)).toEqual([1, 2, undefined, 7, 8, 9]);
});

it('goes up, and has the chosen page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }), (page, last) => {
      const numbers = pageNumbers(page, last).filter((number) => number !== undefined);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(numbers).toEqual(expect.arrayContaining([1, page, last]));
      expect(new Set(numbers).size).toBe(numbers.length);
    }),
  );
});
