import { expect, it } from '@jest/globals';
import { pageNumbers } from './page-links.js';

it.each([
  [1, 0, []],
  [1, 1, [1]],
  [2, 3, [1, 2, 3]],
  [1, 9, [1, 2, 3, undefined, 9]],
  [5, 9, [1, undefined, 3, 4, 5, 6, 7, undefined, 9]],
  [9, 9, [1, undefined, 7, 8, 9]],
] as const)('page %i of %i links to %j', (current, last, expected) => {
  expect(pageNumbers(current, last)).toEqual(expected);
});
