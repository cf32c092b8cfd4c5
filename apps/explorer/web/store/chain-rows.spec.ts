import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { rangesOf, rowsOf } from './chain-rows.js';
import { chainOfIndex } from './chains.js';
import { hashOf, madeBlock } from './made-blocks.js';
import { emptyNetwork, withBlocks, withReorganisation } from './network-state.js';

const now = 1_700_000_100_000;
const chain = chainOfIndex(6, 4);
const live = { isLive: true, now };
const upTo = (index: number, height: number) =>
  Array.from({ length: height + 1 }, (_, at) => madeBlock(index, at)).toReversed();

it('lists every height once from the head down, from what is known and what was read', () => {
  const made = fc.record({
    head: fc.nat(40),
    known: fc.nat(40),
    read: fc.nat(40),
    length: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(made, ({ head, known, read, length }) => {
      const all = upTo(6, head);
      const state = withBlocks(emptyNetwork(), [...upTo(5, 3), ...all.slice(0, known + 1)], live);
      const readBlocks = new Map(all.slice(known + 1, known + 1 + read).map((block) => [block.height, [block]]));
      const rows = rowsOf(state, chain, readBlocks, length);
      expect(rows.map(({ height }) => height)).toEqual(all.slice(0, length).map(({ height }) => height));
      expect(rows.map(({ block }) => block?.hash)).toEqual(
        all.slice(0, length).map(({ hash }, i) => (i <= known + read ? hash : undefined)),
      );
    }),
  );
});

it('shows a block that left beside the one that replaced it, also where it had been read before', () => {
  const before = withBlocks(emptyNetwork(), upTo(6, 5), live);
  const added = [madeBlock(6, 5, { hash: hashOf(6, 100) }), madeBlock(6, 6)];
  const after = withReorganisation(before, { ...chain, forkHeight: 4, removed: [hashOf(6, 6)], added }, now);
  const read = new Map([[5, [madeBlock(6, 5), madeBlock(6, 5, { hash: hashOf(6, 200), mainChain: false })]]]);
  const [newest, replaced, unread] = rowsOf(after, chain, read, 3);
  expect([newest!.height, newest!.beside]).toEqual([6, []]);
  expect(replaced!.block!.hash).toBe(hashOf(6, 100));
  expect(replaced!.beside.map(({ hash }) => hash)).toEqual([hashOf(6, 6), hashOf(6, 200)]);
  expect(unread!.block!.hash).toBe(hashOf(6, 5));
});

it('has no row while the head of the chain is unknown', () => {
  expect(rowsOf(emptyNetwork(), chain, new Map(), 20)).toEqual([]);
});

it('asks for all heights that are missing, at most a hundred at once, and for few others', () => {
  const heights = fc.uniqueArray(fc.nat(400), { maxLength: 60 }).map((all) => all.sort((a, b) => b - a));
  fc.assert(
    fc.property(heights, (missing) => {
      const ranges = rangesOf(missing);
      const asked = ranges.flatMap(({ highest, limit }) => Array.from({ length: limit }, (_, i) => highest - i));
      expect(asked).toEqual(expect.arrayContaining(missing));
      expect(new Set(asked).size).toBe(asked.length);
      for (const { highest, limit } of ranges) {
        expect(limit).toBeLessThanOrEqual(100);
        expect(missing).toEqual(expect.arrayContaining([highest, highest - limit + 1]));
      }
      expect(ranges.length).toBeLessThanOrEqual(Math.ceil(401 / 100));
    }),
  );
  expect(rangesOf([9, 8, 7, 3])).toEqual([{ highest: 9, limit: 7 }]);
});
