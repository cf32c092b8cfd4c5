import { describe, expect, it } from '@jest/globals';
import { locatorHeights } from './locators.js';

describe('locators', () => {
  it.each([
    [-1, []],
    [0, [0]],
    [1, [1, 0]],
    [2, [2, 1, 0]],
    [9, [9, 8, 7, 5, 1, 0]],
    [1_000, [1_000, 999, 998, 996, 992, 984, 968, 936, 872, 744, 600, 0]],
  ])('of a chain up to height %i', (top, heights) => {
    expect(locatorHeights(top)).toEqual(heights);
    expect(heights.length).toBeLessThanOrEqual(32);
  });
});
