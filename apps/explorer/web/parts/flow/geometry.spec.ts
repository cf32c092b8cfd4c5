import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import {
  bluntEnd,
  type FlowShape,
  flowShape,
  narrowBelow,
  originArrow,
  spentArrow,
  thinnest,
  type Thread,
  type ThreadsOfSide,
  widthsOf,
} from './geometry.js';

const amount = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 27n }), fc.bigInt({ min: 0n, max: 1_000n }));
const amounts = fc.array(amount, { minLength: 1, maxLength: 13 });
const width = fc.integer({ min: 250, max: 1_400 });
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const numbersOf = (path: string): number[] => path.match(/-?\d+(\.\d+)?/g)!.map(Number);

describe('widths', () => {
  it('sum to the room, none is thinner than the thinnest, larger amounts are not thinner', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 60, max: 300 }), (parts, room) => {
        const widths = widthsOf(parts, room);
        expect(total(widths)).toBeCloseTo(room, 3);
        for (const [i, own] of widths.entries()) {
          expect(own).toBeGreaterThanOrEqual(thinnest);
          for (const [j, other] of widths.entries())
            if (parts[i]! > parts[j]!) expect(own).toBeGreaterThanOrEqual(other);
        }
      }),
    );
  });

  it('are in proportion where all are thick enough', () => {
    expect(widthsOf([1_500n, 620n, 80n], 110)).toEqual([75, 31, 4].map((each) => expect.closeTo(each, 3)));
    expect(widthsOf([10n ** 27n, 1n], 103)).toEqual([100, 3]);
    expect(widthsOf([0n, 0n], 100)).toEqual([50, 50]);
    expect(widthsOf([], 100)).toEqual([]);
  });
});

const ends = (thread: Thread): [number, number] => [thread.y - thread.width / 2, thread.y + thread.width / 2];

/** The upper and the lower edge of a thread at the bar. */
const atBar = ({ area }: Thread): [number, number] => {
  const numbers = numbersOf(area);
  // M x y, H x, C and its six numbers, then V y.
  return [numbers[8]!, numbers[9]!];
};

/** Of sums of numbers with fractions, pixels. */
const rounding = 1e-6;

const check = (shape: FlowShape, side: readonly Thread[]): void => {
  let [lastEnd, lastBar] = [0, shape.bar.top];
  for (const thread of side) {
    const [top, bottom] = ends(thread);
    const [barTop, barBottom] = atBar(thread);
    expect(top).toBeGreaterThanOrEqual(lastEnd - rounding);
    expect(barTop).toBeCloseTo(lastBar, 1);
    expect(barBottom - barTop).toBeCloseTo(thread.width, 1);
    [lastEnd, lastBar] = [bottom, barBottom];
  }
  expect(lastEnd).toBeLessThanOrEqual(shape.height + rounding);
  if (side.length > 0) expect(lastBar).toBeCloseTo(shape.bar.bottom, 1);
};

describe('the flow', () => {
  it('keeps the order of both sides, lets them meet at the bar without gaps, and nothing overlap', () => {
    fc.assert(
      fc.property(width, amounts, fc.array(amount, { maxLength: 13 }), (wide, inputs, outputs) => {
        const shape = flowShape(wide, inputs, outputs);
        check(shape, shape.inputs.threads);
        check(shape, shape.outputs.threads);
        expect(shape.bar.bottom).toBeLessThan(shape.height);
      }),
    );
  });

  it('leaves each label its place: beside the end, on a phone above it', () => {
    fc.assert(
      fc.property(width, amounts, amounts, (wide, inputs, outputs) => {
        const { isNarrow, inputs: left, outputs: right } = flowShape(wide, inputs, outputs);
        expect(isNarrow).toBe(wide < narrowBelow);
        for (const { threads, isDense } of [left, right])
          for (const [i, thread] of threads.entries()) {
            const before = threads[i - 1];
            const room = thread.y - (before?.y ?? -Infinity) + rounding;
            expect(room).toBeGreaterThanOrEqual(24);
            if (isNarrow)
              expect(ends(thread)[0] - (before ? ends(before)[1] : 0) + rounding).toBeGreaterThanOrEqual(20);
            else if (!isDense) expect(room).toBeGreaterThanOrEqual(44);
          }
      }),
    );
  });

  it('mirrors inputs and outputs', () => {
    const { inputs, outputs, width: all } = flowShape(1_000, [5n, 3n], [5n, 3n]);
    const places = ({ threads }: ThreadsOfSide) => threads.map(({ x, y, width: own }) => [x, y, own]);
    expect(places(outputs).map(([x, ...rest]) => [all - x!, ...rest])).toEqual(places(inputs));
  });
});

it('marks the ends as high as their threads, and seen at thin ones', () => {
  const thick = flowShape(1_000, [1n], [1n]).inputs.threads[0]!;
  const thin = { ...thick, width: 3 };
  const heightOf = (path: string): number => Math.abs(numbersOf(path).at(-1)! - numbersOf(path)[1]!);
  expect([heightOf(bluntEnd(thick)), heightOf(bluntEnd(thin))]).toEqual([thick.width, 10]);
  expect(spentArrow({ ...thin, x: 100, y: 50 })).toBe('M 103 45 h 3 l 7 5 l -7 5 h -3 Z');
  expect(originArrow({ ...thin, x: 100, y: 50 })).toBe('M 97 45 h -10 l 6 5 l -6 5 h 10 Z');
});
