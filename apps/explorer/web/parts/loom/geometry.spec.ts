import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import {
  loomOf,
  pillHalves,
  pillWidth,
  placeOfTime,
  shiftAt,
  sparkPaths,
  threadPath,
  ticksOf,
  timeScale,
} from './geometry.js';

const numbersOf = (path: string): number[] => path.match(/-?\d+(\.\d+)?/g)!.map(Number);
const anyLoom = fc.record({ width: fc.integer({ min: 300, max: 1_400 }), groups: fc.integer({ min: 1, max: 8 }) });

describe('lanes', () => {
  it('are one per chain, in bands, downwards, none on another', () => {
    fc.assert(
      fc.property(anyLoom, ({ width, groups }) => {
        const loom = loomOf(width, groups);
        expect(loom.lanes).toHaveLength(groups ** 2);
        loom.lanes.forEach((y, index) => {
          const band = loom.bands[Math.floor(index / groups)]!;
          expect(y).toBeGreaterThan(band.y);
          expect(y).toBeLessThan(band.y + band.height);
          expect(y - (loom.lanes[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(loom.laneHeight);
        });
        expect(loom.pillHeight).toBeLessThan(loom.laneHeight);
        expect(loom.left < loom.now && loom.now < width).toBe(true);
      }),
    );
  });

  it('fit on a phone: 16 in 330 pixels', () => {
    expect(loomOf(340, 4).height).toBeLessThanOrEqual(330);
  });

  it('are as high together for 2 to 5 groups, and have room for their texts for 8', () => {
    const heights = [2, 4, 5].map((groups) => loomOf(946, groups).height);
    expect(Math.max(...heights) / Math.min(...heights)).toBeLessThan(1.65);
    expect(loomOf(946, 4).laneHeight).toBe(30);
    expect(loomOf(946, 8).laneHeight).toBeGreaterThanOrEqual(12);
    expect(loomOf(340, 8).laneHeight).toBeGreaterThanOrEqual(12);
  });
});

describe('time', () => {
  it('stands still in the moving part, which slides with the clock', () => {
    fc.assert(
      fc.property(
        anyLoom,
        fc.nat(1e6),
        fc.nat(3e5),
        fc.constantFrom(20e3, 12e4, 36e4, 18e5),
        (shape, age, later, windowMs) => {
          const loom = loomOf(shape.width, shape.groups);
          const origin = 1_700_000_000_000;
          const scale = timeScale(loom, windowMs, origin);
          const now = origin + later;
          const x = placeOfTime(scale, now - age) + shiftAt(loom, scale, now);
          expect(x).toBeCloseTo(loom.now - (age / windowMs) * (loom.now - loom.left), 3);
        },
      ),
    );
  });

  it('has marks of round ages between the ends', () => {
    const loom = loomOf(946, 4);
    expect(ticksOf(loom, 360_000).map(({ agoMs }) => agoMs / 1_000)).toEqual([60, 120, 180, 240, 300]);
    for (const windowMs of [20_000, 120_000, 360_000, 1_800_000])
      for (const { x } of ticksOf(loom, windowMs)) expect(x > loom.left && x < loom.now - 60).toBe(true);
  });
});

describe('pills', () => {
  it('grow with their transactions, and stop', () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.nat(3_000), (a, b) => {
        if (a <= b) expect(pillWidth(a, 17)).toBeLessThanOrEqual(pillWidth(b, 17));
        expect(pillWidth(a, 17)).toBeLessThanOrEqual(39);
      }),
    );
  });

  it('have two halves that mirror each other and stay inside', () => {
    for (const [width, height] of [
      [13, 17],
      [39, 17],
      [10, 11],
    ] as const) {
      const [left, right] = pillHalves(width, height).map(numbersOf) as [number[], number[]];
      expect(left).toHaveLength(right.length);
      const most = Math.max(width, height) / 2;
      expect(Math.min(...left)).toBeGreaterThanOrEqual(-most);
      expect(Math.max(...right)).toBeLessThanOrEqual(most);
    }
  });
});

it('draws threads from end to end', () => {
  expect(threadPath({ x: 100, y: 10 }, { x: 20, y: 80 })).toBe('M 100 10 C 64 10 56 80 20 80');
});

it('draws sparks over the whole width, the largest on top', () => {
  const { line, area } = sparkPaths([1, 3, 2], 100, 20);
  expect(line).toBe('M 0 19 L 50 1 L 100 10');
  expect(area).toBe(`${line} L 100 20 L 0 20 Z`);
  expect(sparkPaths([5, 5], 10, 20).line).toBe('M 0 10 L 10 10');
});
