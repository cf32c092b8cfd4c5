import { expect, it } from '@jest/globals';
import { fc } from '../properties/index.js';
import { Ancestry } from './ancestry.js';

interface Block {
  readonly height: number;
  readonly parent: Block | undefined;
}

const treeOf = (parents: readonly number[]): readonly Block[] => {
  const blocks: Block[] = [{ height: 0, parent: undefined }];
  for (const back of parents) {
    const parent = blocks[Math.max(0, blocks.length - 1 - back)]!;
    blocks.push({ height: parent.height + 1, parent });
  }
  return blocks;
};

const told = (blocks: readonly Block[]): Ancestry<Block> => {
  const ancestry = new Ancestry<Block>((block) => block);
  for (const block of blocks) ancestry.add(block);
  return ancestry;
};

it('finds the ancestors that a walk from parent to parent finds, and no others', () => {
  // Mostly a child of the newest, now and then of an older one.
  const back = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 9 }));
  fc.assert(
    fc.property(fc.array(back, { maxLength: 80 }), (parents) => {
      const blocks = treeOf(parents);
      const ancestry = told(blocks);
      for (const newer of blocks) {
        const line = new Set<Block>();
        for (let block: Block | undefined = newer; block; block = block.parent) line.add(block);
        for (const older of blocks) expect(ancestry.isAncestor(older, newer)).toBe(line.has(older));
      }
    }),
    { numRuns: 30 },
  );
});

it('needs few steps on a long chain', () => {
  const blocks = treeOf(Array.from({ length: 100_000 }, () => 0));
  let looks = 0;
  const ancestry = new Ancestry<Block>((block) => {
    looks += 1;
    return block;
  });
  for (const block of blocks) ancestry.add(block);
  looks = 0;
  for (const height of [0, 1, 777, 65_536, 99_998])
    expect(ancestry.isAncestor(blocks[height]!, blocks.at(-1)!)).toBe(true);
  expect(looks).toBeLessThan(1_000);
});
