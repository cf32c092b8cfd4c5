import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { areaPath, barPaths, baseOf, bucketAt, linePath, plotOf, stepPaths, timeMarks, valueMarks } from './plot.js';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 26);
const times = [0, 1, 2, 3].map((hour) => start + hour * hourMs);
const area = { left: 40, right: 440, top: 10, bottom: 110 };
const plot = plotOf(area, times, hourMs, [[2, undefined, 5, 0]]);

describe('a chart of numbers over time', () => {
  it('has its buckets side by side, and a little room above the largest value', () => {
    expect([plot.xOf(times[0]!), plot.xOf(times[1]!), plot.xOf(plot.to)]).toEqual([40, 140, 440]);
    expect([plot.yOf(0), plot.yOf(plot.most)]).toEqual([110, 10]);
    expect(plot.yOf(5)).toBeGreaterThan(10);
  });

  it('draws a line over what is unknown, the area below it, and bars of what is there', () => {
    expect(linePath(plot, times, [2.7, undefined, 5.4, 0])).toBe('M40 60L240 10L340 110');
    expect(areaPath(plot, times, [undefined, 2.7, 5.4])).toBe('M140 60L240 10V110H140Z');
    expect([linePath(plot, times, []), areaPath(plot, times, [undefined])]).toEqual(['', '']);
    expect(barPaths(plot, times, hourMs, [2.7, undefined, 0, 0.0001])).toBe('M40 110V60h64V110zM340 110V109h64V110z');
  });

  it('draws each value until the next one, and the last until the end', () => {
    const { line, area: below } = stepPaths(plot, [times[0]!, times[0]!, times[2]!], [0, 5.4, 2.7]);
    expect(line).toBe('M40 110H40V10H240V60H440');
    expect(below).toBe(`${line}V110H40Z`);
  });

  it('begins at 0, or just below values that differ by little', () => {
    expect(
      [
        [0, 5],
        [3, 3],
        [1, 4],
        [999_984.6, 1_000_000],
      ].map(baseOf),
    ).toEqual([0, 0, 0, 999_980]);
    fc.assert(
      fc.property(fc.array(fc.nat(10 ** 9), { minLength: 1, maxLength: 9 }), (thousandths) => {
        const values = thousandths.map((each) => each / 1_000);
        const base = baseOf(values);
        expect(base).toBeLessThanOrEqual(Math.min(...values) + 1e-6);
        expect(base).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('marks few round values from 0 up', () => {
    expect(valueMarks(plot)).toEqual([0, 1, 2, 3, 4, 5]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e18, noNaN: true }), (largest) => {
        const of = plotOf(area, times, hourMs, [[largest]]);
        const marks = valueMarks(of);
        expect(marks.length).toBeGreaterThanOrEqual(3);
        expect(marks.length).toBeLessThanOrEqual(7);
        expect(marks.at(-1)!).toBeLessThanOrEqual(of.most * 1.000_001);
      }),
    );
  });

  it('marks times of the clock of UTC that are far enough apart for their labels', () => {
    expect(timeMarks(plot)).toEqual([...times, plot.to]);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 200, max: 1_400 }), (hours, right) => {
        const starts = Array.from({ length: hours }, (_, i) => start + (7 + i) * hourMs);
        const of = plotOf({ ...area, right }, starts, hourMs, []);
        const places = timeMarks(of).map(of.xOf);
        for (const [i, place] of places.slice(1).entries()) expect(place - places[i]!).toBeGreaterThanOrEqual(75.9);
        for (const mark of timeMarks(of)) expect(mark >= of.from && mark <= of.to && mark % 60_000 === 0).toBe(true);
      }),
    );
  });

  it('finds the bucket at a time, and none between and beside them', () => {
    const days = [start, start + 48 * hourMs];
    const found = [-1, 0, 23.9, 24, 48, 71.9, 72].map((hour) => bucketAt(days, 24 * hourMs, start + hour * hourMs));
    expect(found).toEqual([undefined, 0, 0, undefined, 1, 1, undefined]);
  });
});
