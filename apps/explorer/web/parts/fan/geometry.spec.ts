import { describe, expect, it } from '@jest/globals';
import { fanOf } from './geometry.js';

const pointsOf = (path: string): number[] => path.match(/-?[\d.]+/g)!.map(Number);

describe('the fan of a block', () => {
  it('has the block in the middle, and both lists around its height', () => {
    const fan = fanOf(1272, 7, 4);
    expect(fan).toMatchObject({ height: 7 * 36, middle: { x: 636, y: 126 }, leftTop: 0, rightTop: 54 });
    expect([fan.left.length, fan.right.length]).toEqual([7, 4]);
  });

  it('leads a curve from the block to the middle of each row', () => {
    const { left, right, middle, listWidth } = fanOf(1272, 7, 4);
    const ends = (paths: readonly string[]) => paths.map((path) => pointsOf(path).slice(-2));
    expect(ends(left)).toEqual([18, 54, 90, 126, 162, 198, 234].map((y) => [listWidth + 6, y]));
    expect(ends(right)).toEqual([72, 108, 144, 180].map((y) => [1272 - listWidth - 6, y]));
    for (const path of left) expect(pointsOf(path).slice(0, 2)).toEqual([middle.x - 30, middle.y]);
    for (const path of right) expect(pointsOf(path).slice(0, 2)).toEqual([middle.x + 30, middle.y]);
  });

  it.each([256, 326, 620, 900, 1272])('keeps the lists apart at a width of %i', (width) => {
    const { listWidth, left, right } = fanOf(width, 7, 7);
    expect(listWidth).toBeGreaterThan(80);
    for (const path of left) expect(pointsOf(path)[0]).toBeGreaterThan(pointsOf(path)[6]!);
    for (const path of right) expect(pointsOf(path)[0]).toBeLessThan(pointsOf(path)[6]!);
  });

  it('leads to the marks of the chains where a row has two lines', () => {
    expect(fanOf(326, 3, 0).left.map((path) => pointsOf(path).at(-1))).toEqual([15, 65, 115]);
  });

  it('has room for the block where nothing is known', () => {
    expect(fanOf(1272, 0, 0)).toMatchObject({ height: 36, left: [], right: [] });
  });
});
