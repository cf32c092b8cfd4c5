import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type Stair, stairsShape } from './geometry.js';

const start = 1_700_000_000_000;
const axis = { start, end: start + 100_000, left: 0, right: 200 };

it('rises at each moment by one, and ends now', () => {
  const { paths, lines } = stairsShape(
    [
      [
        { timestamp: start, count: 1 },
        { timestamp: start + 50_000, count: 2 },
      ],
      [{ timestamp: start + 25_000, count: 1 }],
    ],
    axis,
    108,
  );
  expect(paths.map(({ path }) => path)).toEqual(['M 0 108 V 58 H 100 V 8 H 200', 'M 50 108 V 58 H 200']);
  expect(lines).toEqual([108, 58, 8]);
});

it('never falls, stays inside, and its labels do not cover each other', () => {
  const gaps = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 40 });
  const madeSeries = fc.tuple(fc.integer({ min: 1, max: 190 }), gaps).map(([count, times]) => {
    let timestamp = start - 20_000;
    return times.map((gap, i): Stair => ({ timestamp: (timestamp += gap), count: count + i }));
  });
  fc.assert(
    fc.property(fc.array(madeSeries, { minLength: 1, maxLength: 3 }), (series) => {
      const { paths } = stairsShape(series, axis, 110);
      for (const { path, y } of paths) {
        const levels = [...path.matchAll(/V (\S+)/g)].map(([, level]) => Number(level));
        const places = [...path.matchAll(/[MH] (\S+)/g)].map(([, place]) => Number(place));
        expect(levels).toEqual(levels.toSorted((a, b) => b - a));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(Math.min(...levels)).toBeGreaterThanOrEqual(8);
        expect(Math.max(...levels)).toBeLessThanOrEqual(110);
        expect(levels.at(-1)).toBeCloseTo(y, 1);
        expect([places[0]! >= 0, places.at(-1)]).toEqual([true, 200]);
      }
      const labels = paths.map(({ labelY }) => labelY).sort((a, b) => a - b);
      for (const [i, y] of labels.entries()) if (i > 0) expect(y - labels[i - 1]!).toBeGreaterThanOrEqual(14 - 1e-9);
    }),
  );
});
