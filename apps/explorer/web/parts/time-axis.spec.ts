import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { marksAfter, placeOf } from './time-axis.js';

const start = 1_700_000_000_000;

it('marks round times after a moment, none too close to another, none outside', () => {
  const made = fc.record({
    span: fc.integer({ min: 300, max: 4 * 86_400_000 }),
    share: fc.double({ min: 0, max: 0.9, noNaN: true }),
  });
  fc.assert(
    fc.property(made, fc.integer({ min: 200, max: 900 }), ({ span, share }, width) => {
      const axis = { start, end: start + span, left: 40, right: 40 + width };
      const origin = start + Math.floor(span * share);
      const marks = marksAfter(axis, origin, 80);
      expect(marks.length).toBeLessThanOrEqual(width / 80 + 2);
      expect(marks[0]).toEqual({ afterMs: 0, x: placeOf(axis, origin) });
      for (const [i, { x, afterMs }] of marks.entries()) {
        expect(x).toBeGreaterThanOrEqual(axis.left);
        expect(x).toBeLessThanOrEqual(axis.right + 1e-6);
        expect(x).toBeCloseTo(placeOf(axis, origin + afterMs), 6);
        if (i > 0) expect(x - marks[i - 1]!.x).toBeGreaterThanOrEqual(80 - 1e-6);
      }
    }),
  );
});

it('leaves out marks before its start', () => {
  const axis = { start: start + 95_000, end: start + 155_000, left: 0, right: 300 };
  expect(marksAfter(axis, start, 90).map(({ afterMs }) => afterMs)).toEqual([120_000, 150_000]);
});
