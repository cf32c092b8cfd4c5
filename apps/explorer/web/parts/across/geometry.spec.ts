import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type BlockLite } from '../../store/forms.js';
import { madeBlock } from '../../store/made-blocks.js';
import { pillWidth } from '../loom/geometry.js';
import { acrossShape, type KnownSteps, pillHeight, windowOf } from './geometry.js';

const at = 1_700_000_000_000;
/** A block of chain 0 → 0, 0 → 2 or 2 → 2. */
const block = (chain: number, height: number, afterMs: number): BlockLite =>
  madeBlock(chain, height, { timestamp: at + afterMs });
const chain = { chainFrom: 0, chainTo: 2 };
const way = (carriedMs: number, spendableMs: number): KnownSteps => [
  { name: 'mined', block: block(2, 5, 0) },
  { name: 'carried', block: block(0, 7, carriedMs) },
  { name: 'spendable', block: block(10, 8, spendableMs) },
];

it('puts the steps into their lanes in the order of time, with a thread from each to the next', () => {
  fc.assert(
    fc.property(fc.nat(600_000), fc.nat(600_000), fc.integer({ min: 300, max: 900 }), (carried, more, width) => {
      const shown = windowOf(at, at + carried + more);
      const { steps, lanes, threads, axis, height } = acrossShape(
        width,
        chain,
        way(carried, carried + more),
        [],
        shown,
      );
      expect(lanes.map(({ chainFrom, chainTo }) => `${chainFrom}${chainTo}`)).toEqual(['00', '02', '22']);
      expect(steps.map(({ y }) => y)).toEqual([lanes[1]!.y, lanes[0]!.y, lanes[2]!.y]);
      expect(threads).toHaveLength(2);
      let before = axis.left;
      for (const { x, y } of steps) {
        expect(x).toBeGreaterThanOrEqual(before);
        expect(x).toBeLessThan(axis.right);
        expect(y).toBeLessThan(height);
        before = x;
      }
    }),
  );
});

it('shows other blocks where they are seen apart, and no step twice', () => {
  const known = way(20_000, 40_000);
  const times = fc.array(fc.integer({ min: -30_000, max: 80_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(times, (after) => {
      const others = after.map((ms, i) => block(0, 100 + i, ms));
      const shape = acrossShape(500, chain, known, [...others, known[1]!.block], windowOf(at, at + 40_000));
      const lane = shape.lanes[0]!;
      const places = [...lane.others.map(({ x }) => x), shape.steps[1]!.x].sort((a, b) => a - b);
      for (const [i, x] of places.entries()) {
        if (i > 0) expect(x - places[i - 1]!).toBeGreaterThanOrEqual(pillWidth(1, pillHeight));
        expect(x >= shape.axis.left && x <= shape.axis.right).toBe(true);
      }
      expect(lane.others.map(({ block: { hash } }) => hash)).not.toContain(known[1]!.block.hash);
    }),
  );
});

it('has no step before the block', () => {
  const shape = acrossShape(500, chain, [], [block(5, 3, 0)], windowOf(at - 10_000, at + 10_000));
  expect([shape.lanes.length, shape.steps, shape.threads]).toEqual([3, [], []]);
});
