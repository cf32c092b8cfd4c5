import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { madeBlock } from '../../store/made-blocks.js';
import { blockAt, columnWidth, differsFrom, marksOf } from './crowd.js';
import { loomOf, placeOfTime, timeScale } from './geometry.js';

const start = 1_700_000_000_000;
const windowMs = 20_000;
const loom = loomOf(946, 4);
const scale = timeScale(loom, windowMs, start);
const pixelMs = 1 / scale.pixelsPerMs;

/** Newest first, as the store keeps them. */
const anyCrowd = fc
  .array(fc.record({ chain: fc.nat(15), at: fc.nat(windowMs), txNumber: fc.integer({ min: 1, max: 90 }) }), {
    minLength: 1,
    maxLength: 800,
  })
  .map((entries) =>
    entries
      .map(({ chain, at, txNumber }, i) => madeBlock(chain, i + 1, { timestamp: start + at, txNumber }))
      .sort((a, b) => b.timestamp - a.timestamp),
  );

describe('marks of a crowd', () => {
  it('stand for each block once, in its lane, within two pixels of its time', () => {
    fc.assert(
      fc.property(anyCrowd, (blocks) => {
        const marks = marksOf(blocks, loom, scale);
        expect(marks.reduce((sum, { blocks: count }) => sum + count, 0)).toBe(blocks.length);
        for (const { chainFrom, chainTo, timestamp } of blocks) {
          const near = marks.filter(({ x }) => Math.abs(x - placeOfTime(scale, timestamp)) <= columnWidth / 2 + 1e-6);
          expect(near.some((mark) => mark.chainFrom === chainFrom && mark.chainTo === chainTo)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('never cover each other, nor another lane', () => {
    fc.assert(
      fc.property(anyCrowd, (blocks) => {
        const marks = marksOf(blocks, loom, scale);
        for (const [i, mark] of marks.entries()) {
          const next = marks[i + 1];
          expect(mark.width).toBeGreaterThan(columnWidth - 1);
          expect(mark.height).toBeLessThan(loom.laneHeight);
          if (next?.y === mark.y) expect(mark.x + mark.width / 2).toBeLessThan(next.x - next.width / 2);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('of blocks of one column of pixels are one higher bar', () => {
    const at = (pixels: number) => ({ timestamp: start + pixels * pixelMs });
    const blocks = [madeBlock(3, 4, at(200)), madeBlock(3, 2, at(102)), madeBlock(3, 1, at(101))];
    const [bar, alone] = marksOf(blocks, loom, scale);
    expect([bar!.blocks, alone!.blocks]).toEqual([2, 1]);
    expect(bar!.height).toBeGreaterThan(alone!.height);
  });

  it('are as many as there are columns at most, however many blocks come', () => {
    const blocks = Array.from({ length: 6_000 }, (_, i) => madeBlock(i % 16, i, { timestamp: start + i * 3 }));
    const columns = Math.ceil((6_000 * 3 * scale.pixelsPerMs) / columnWidth) + 1;
    expect(marksOf(blocks, loom, scale).length).toBeLessThanOrEqual(16 * columns);
  });
});

describe('two pictures of a crowd', () => {
  const isLeftOf = (from: number) => (mark: { readonly x: number; readonly width: number }) =>
    mark.x + mark.width / 2 < from;

  it('are the same left of where they differ, which is near the new blocks', () => {
    fc.assert(
      fc.property(anyCrowd, fc.nat(10), (blocks, added) => {
        const before = marksOf(blocks.slice(added), loom, scale);
        const after = marksOf(blocks, loom, scale);
        const from = differsFrom(before, after);
        expect(after.filter(isLeftOf(from))).toEqual(before.filter(isLeftOf(from)));
        const oldest = blocks.slice(0, added).at(-1);
        if (oldest === undefined) expect(from).toBe(Infinity);
        else expect(from).toBeGreaterThan(placeOfTime(scale, oldest.timestamp) - 80);
      }),
    );
  });
});

describe('a block of a crowd', () => {
  it('is found where it stands, and nothing far from all', () => {
    fc.assert(
      fc.property(anyCrowd, fc.nat(), (blocks, number) => {
        const block = blocks[number % blocks.length]!;
        const y = loom.lanes[block.chainFrom * 4 + block.chainTo]!;
        const found = blockAt(blocks, loom, scale, { x: placeOfTime(scale, block.timestamp), y })!;
        expect([found.chainFrom, found.chainTo, found.timestamp]).toEqual([
          block.chainFrom,
          block.chainTo,
          block.timestamp,
        ]);
        expect(blockAt(blocks, loom, scale, { x: -100, y })).toBeUndefined();
        expect(blockAt(blocks, loom, scale, { x: 0, y: -100 })).toBeUndefined();
      }),
    );
  });
});
