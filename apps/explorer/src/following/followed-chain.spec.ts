import { describe, expect, it } from '@jest/globals';
import { type FeedBlock } from '../blocks/feed-block.js';
import { FollowedChain } from './followed-chain.js';

const hashOf = (height: number, branch = 'a'): string => `${branch}${height}`;

const blocks = (first: number, count: number, branch = 'a'): FeedBlock[] =>
  Array.from({ length: count }, (_, i) => {
    const header = { hash: hashOf(first + i, branch), timestamp: 1n };
    return { height: first + i, block: { header, raw: new Uint8Array(1) } } as unknown as FeedBlock;
  });

const headOf = (list: readonly FeedBlock[]) => {
  const { height, block } = list.at(-1)!;
  return { height, hash: block.header.hash };
};

/** Heights of 0 to 500 whose hashes are in memory. */
const known = (chain: FollowedChain): number[] =>
  Array.from({ length: 501 }, (_, height) => height).filter((height) => chain.hashAt(height) !== undefined);

const range = (first: number, last: number): number[] => Array.from({ length: last + 1 - first }, (_, i) => first + i);

describe('the hashes of a followed chain that are in memory', () => {
  it('are those of the queue, of genesis, and of applied blocks down to 400 below the head', () => {
    const chain = new FollowedChain({ from: 0, to: 1 }, undefined);
    const first = blocks(0, 450);
    chain.accept(undefined, first, headOf(first));
    expect(known(chain)).toEqual(range(0, 449));
    chain.advance(440);
    expect(known(chain)).toEqual([0, ...range(39, 449)]);
    expect([0, 39, 439, 440].map((height) => chain.hashAt(height))).toEqual(['a0', 'a39', 'a439', 'a440']);
    expect(chain.rememberedHeights).toEqual([0, ...range(39, 439)]);
  });

  it('after a start are those of the database', () => {
    const chain = new FollowedChain({ from: 0, to: 1 }, { height: 3, hash: 'a3' });
    expect([known(chain), chain.rememberedHeights]).toEqual([[], [0, 1, 2, 3]]);
    chain.remember(new Map(range(0, 3).map((height) => [height, hashOf(height)])));
    expect(known(chain)).toEqual([0, 1, 2, 3]);
    expect(new FollowedChain({ from: 0, to: 1 }, undefined).rememberedHeights).toEqual([]);
  });

  it('are those of the branch that is followed', () => {
    const chain = new FollowedChain({ from: 0, to: 1 }, undefined);
    const first = blocks(0, 6);
    chain.accept(undefined, first, headOf(first));
    chain.advance(6);
    const branch = blocks(4, 1, 'b');
    chain.accept({ height: 3, hash: 'a3' }, branch, headOf(branch));
    const hashes = (): (string | undefined)[] => range(2, 5).map((height) => chain.hashAt(height));
    expect(hashes()).toEqual(['a2', 'a3', 'b4', undefined]);
    chain.advance(1);
    expect(hashes()).toEqual(['a2', 'a3', 'b4', undefined]);
    expect(chain.head).toEqual({ height: 4, hash: 'b4' });
  });

  it('stay when the queue is dropped', () => {
    const chain = new FollowedChain({ from: 0, to: 1 }, undefined);
    const first = blocks(0, 6);
    chain.accept(undefined, first, headOf(first));
    chain.advance(3);
    chain.reset();
    expect(known(chain)).toEqual([0, 1, 2]);
  });
});
