import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { allChains } from '../../store/chains.js';
import { madeBlock } from '../../store/made-blocks.js';
import { loomOf, pillWidth, placeOfTime, timeScale } from './geometry.js';
import { type Pile, pilesOf } from './piles.js';

const start = 1_700_000_000_000;
const windowMs = 20_000;
const loom = loomOf(946, 4);
const scale = timeScale(loom, windowMs, start);
const pixelMs = 1 / scale.pixelsPerMs;

/** Newest first, as the store keeps them. */
const anyBlocks = fc
  .array(fc.record({ chain: fc.nat(15), at: fc.nat(windowMs), txNumber: fc.integer({ min: 1, max: 90 }) }), {
    minLength: 1,
    maxLength: 800,
  })
  .map((entries) =>
    entries
      .map(({ chain, at, txNumber }, i) => madeBlock(chain, i + 1, { timestamp: start + at, txNumber }))
      .sort((a, b) => b.timestamp - a.timestamp),
  );
const at = (chain: number, pixels: number, txNumber = 1) =>
  madeBlock(chain, Math.round(pixels), { timestamp: start + Math.round(pixels * pixelMs), txNumber });
const sizes = (piles: readonly Pile[]): number[] => piles.map(({ blocks }) => blocks.length);

describe('piles of blocks', () => {
  it('have each block once, oldest first, in its lane, near its time', () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const piles = pilesOf(blocks, loom, scale);
        const hashes = piles.flatMap((pile) => pile.blocks.map(({ hash }) => hash));
        expect(hashes.sort()).toEqual(blocks.map(({ hash }) => hash).sort());
        for (const { blocks: piled, left, right } of piles) {
          expect(new Set(piled.map(({ chainFrom, chainTo }) => `${chainFrom} ${chainTo}`)).size).toBe(1);
          expect(piled.map(({ timestamp }) => timestamp)).toEqual(
            piled.map(({ timestamp }) => timestamp).sort((a, b) => a - b),
          );
          for (const { timestamp } of piled) {
            expect(placeOfTime(scale, timestamp)).toBeGreaterThanOrEqual(left - 1);
            expect(placeOfTime(scale, timestamp)).toBeLessThanOrEqual(right + 1);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('never cover each other, and are as many as fit into the lane', () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const piles = pilesOf(blocks, loom, scale);
        for (const { chainFrom, chainTo } of allChains(4)) {
          const lane = piles.filter(({ blocks: [of] }) => of!.chainFrom === chainFrom && of!.chainTo === chainTo);
          expect(lane.length).toBeLessThan(60);
          lane.forEach(({ left, right }, i) => {
            expect(right).toBeGreaterThan(left);
            expect(left).toBeGreaterThanOrEqual(lane[i - 1]?.right ?? -Infinity);
          });
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are single blocks while those can be told apart', () => {
    const width = pillWidth(1, loom.pillHeight);
    expect(sizes(pilesOf([at(3, 200 + width + 1), at(3, 200), at(2, 200)], loom, scale))).toEqual([1, 1, 1]);
    expect(sizes(pilesOf([at(3, 200 + width - 2), at(3, 200)], loom, scale))).toEqual([2]);
  });

  it('grow at their newest end: older ones stay as they are', () => {
    const newestFirst = Array.from({ length: 60 }, (_, i) => at(5, 600 - 4 * i));
    const before = pilesOf(newestFirst.slice(1), loom, scale);
    const after = pilesOf(newestFirst, loom, scale);
    expect(before.length).toBeGreaterThan(3);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });
});
