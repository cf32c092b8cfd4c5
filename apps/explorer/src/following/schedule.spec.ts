import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ChainIndex, type Hash, zeroHash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { FollowedChain } from './followed-chain.js';
import { nextWork } from './schedule.js';

const groups = 2;
const hashOf = (name: string): Hash => Buffer.from(name).toString('hex').padEnd(64, '0');

/** A block that has only what the schedule reads. */
const blockOf = (
  name: string,
  chain: ChainIndex,
  { height = 1, time = 0, deps = [] as readonly string[], transactions = 1 } = {},
): FeedBlock => {
  const header = {
    hash: hashOf(name),
    chainIndex: chain,
    timestamp: BigInt(time),
    blockDeps: [...deps.map(hashOf), zeroHash],
  };
  const block = { header, transactions: new Array<unknown>(transactions), raw: new Uint8Array(10) };
  return { height, block, events: [] } as unknown as FeedBlock;
};

const chains: readonly ChainIndex[] = [
  { from: 0, to: 0 },
  { from: 0, to: 1 },
];
const all = { blocks: 500, transactions: 4_000 };
const namesOf = (blocks: readonly FeedBlock[]): string[] =>
  blocks.map(({ block }) => Buffer.from(block.header.hash.replace(/(00)+$/, ''), 'hex').toString());

describe('the next work', () => {
  let followed: FollowedChain[];
  let known: Set<Hash>;
  const genesis = (chain: ChainIndex) => ({ height: 0, hash: hashOf(`g${chain.from}${chain.to}`) });
  const next = (limits = all) => nextWork(followed, (hash) => known.has(hash), { groups, limits });
  const batch = (limits = all): string[] => {
    const { work } = next(limits);
    return work?.kind === 'apply' ? namesOf(work.blocks) : [];
  };
  const queue = (index: number, ...blocks: FeedBlock[]): void =>
    followed[index]!.accept(followed[index]!.top, blocks, {
      height: blocks.at(-1)!.height,
      hash: blocks.at(-1)!.block.header.hash,
    });
  beforeEach(() => {
    known = new Set();
    followed = chains.map((chain) => new FollowedChain(chain, genesis(chain)));
  });

  it('is nothing without blocks', () => {
    expect(next()).toEqual({ work: undefined, missing: new Set() });
  });

  it('merges the chains by time, and by chain at the same time', () => {
    queue(0, blockOf('a', chains[0]!, { time: 5 }), blockOf('b', chains[0]!, { time: 9, height: 2 }));
    queue(1, blockOf('c', chains[1]!, { time: 5 }), blockOf('d', chains[1]!, { time: 7, height: 2 }));
    expect(batch()).toEqual(['a', 'c', 'd', 'b']);
  });

  it('takes a block after its dependencies, whatever their times', () => {
    queue(0, blockOf('a', chains[0]!, { time: 5, deps: ['c'] }));
    queue(1, blockOf('c', chains[1]!, { time: 5 }));
    expect(batch()).toEqual(['c', 'a']);
  });

  it('waits for a dependency that is not known, and names it', () => {
    queue(0, blockOf('a', chains[0]!, { deps: ['x'] }));
    expect(next()).toEqual({ work: undefined, missing: new Set([hashOf('x')]) });
    known.add(hashOf('x'));
    expect(batch()).toEqual(['a']);
  });

  it('keeps within the bounds of a batch', () => {
    const blocks = ['a', 'b', 'c'].map((name, i) => blockOf(name, chains[0]!, { height: i + 1, transactions: 3 }));
    queue(0, ...blocks);
    expect(batch({ blocks: 2, transactions: 100 })).toEqual(['a', 'b']);
    expect(batch({ blocks: 100, transactions: 4 })).toEqual(['a', 'b']);
    expect(batch({ blocks: 1, transactions: 100 })).toEqual(['a']);
  });

  describe('of a chain whose top is replaced', () => {
    const main = (...names: string[]) => names.map((name, i) => blockOf(name, chains[0]!, { height: i + 1 }));
    beforeEach(() => {
      queue(0, ...main('a', 'b'));
      followed[0]!.advance(2);
    });

    it('is the new branch as one piece, once it is as high as the old one', () => {
      const [chain] = followed;
      const branch = main('c', 'd', 'e');
      chain!.accept(genesis(chains[0]!), branch.slice(0, 1), { height: 3, hash: hashOf('e') });
      expect([chain!.isReorganising, next().work]).toEqual([true, undefined]);
      expect(chain!.head!.hash).toBe(hashOf('b'));
      queue(0, ...branch.slice(1));
      const { work } = next();
      expect(work).toMatchObject({ kind: 'reorganise', forkHeight: 0 });
      expect(work?.kind === 'reorganise' && namesOf(work.added)).toEqual(['c', 'd']);
      chain!.advance(2);
      expect([chain!.isReorganising, chain!.head!.hash, batch()]).toEqual([false, hashOf('d'), ['e']]);
    });

    it('may be lower when the node has no more', () => {
      followed[0]!.accept(genesis(chains[0]!), main('c'), { height: 1, hash: hashOf('c') });
      expect(next().work).toMatchObject({ kind: 'reorganise', forkHeight: 0, added: [{ height: 1 }] });
      followed[0]!.accept(genesis(chains[0]!), [], genesis(chains[0]!));
      expect(next().work).toMatchObject({ kind: 'reorganise', forkHeight: 0, added: [] });
      followed[0]!.advance(0);
      expect(followed[0]!.head).toEqual(genesis(chains[0]!));
    });

    it('does not wait for queued blocks, which may wait for it', () => {
      const branch = [blockOf('c', chains[0]!, { height: 1 }), blockOf('d', chains[0]!, { height: 2, deps: ['x'] })];
      followed[0]!.accept(genesis(chains[0]!), branch, { height: 2, hash: hashOf('d') });
      expect(next()).toEqual({ work: undefined, missing: new Set([hashOf('x')]) });
      queue(1, blockOf('x', chains[1]!, { deps: ['c'] }));
      expect(next().work).toMatchObject({ kind: 'reorganise' });
    });

    it('is off when the node goes back to the old branch', () => {
      const [chain] = followed;
      chain!.accept(genesis(chains[0]!), main('c'), { height: 3, hash: hashOf('e') });
      chain!.accept({ height: 2, hash: hashOf('b') }, [], { height: 2, hash: hashOf('b') });
      expect([chain!.isReorganising, chain!.isCaughtUp, next().work]).toEqual([false, true, undefined]);
    });
  });

  it('cuts the queue where the node has another block', () => {
    queue(0, blockOf('a', chains[0]!), blockOf('b', chains[0]!, { height: 2 }));
    followed[0]!.accept({ height: 1, hash: hashOf('a') }, [blockOf('c', chains[0]!, { height: 2 })], {
      height: 2,
      hash: hashOf('c'),
    });
    expect(batch()).toEqual(['a', 'c']);
  });

  it('asks for no more blocks than its bounds', () => {
    const [chain] = followed;
    const blocks = Array.from({ length: 1_000 }, (_, i) => blockOf(`n${i}`, chains[0]!, { height: i + 1 }));
    chain!.accept(chain!.top, blocks.slice(1), { height: 5_000, hash: hashOf('far') });
    expect(chain!.hasRoom).toBe(true);
    chain!.accept(genesis(chains[0]!), blocks, { height: 5_000, hash: hashOf('far') });
    expect(chain!.hasRoom).toBe(false);
    chain!.advance(1);
    expect(chain!.hasRoom).toBe(true);
  });
});
