import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './index.js';

describe('statistics', () => {
  it('median: the middle one in order of numbers, the greater of two', () => {
    expect(median([100, 9, 20])).toBe(20);
    expect(median([4, 1, 3, 2])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it('percentile: so many percent do not exceed it', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0, 1, 50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 1, 50, 99, 100]);
    expect(percentile([7], 99)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });
});
