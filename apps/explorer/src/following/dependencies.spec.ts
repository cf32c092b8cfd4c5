import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@shardnode/core/observability';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import { flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { type FeedBlock } from '../blocks/feed-block.js';
import { type ChainPuller } from './chain-puller.js';
import { Dependencies } from './dependencies.js';

const groups = 4;
const hash: Hash = `${'ab'.repeat(31)}05`;
const missing = new Set([hash]);

describe('a dependency that is not known', () => {
  let clock: StoppedClock;
  let stored: Hash[];
  let fetched: Hash[];
  let canFetch: boolean;
  let sides: number;
  let expired: number;
  let pulls: number;
  let puller: { completed: number; stoppedBy: string | undefined };
  let pullers: ChainPuller[];
  let queue: { readonly block: { readonly header: { readonly hash: Hash } } }[];
  let dependencies: Dependencies;
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const obtain = async (): Promise<void> => {
    dependencies.obtain(missing, pullers);
    await settled();
  };

  beforeEach(() => {
    clock = createStoppedClock();
    [stored, fetched, canFetch, sides, expired, pulls] = [[], [], true, 0, 0, 0];
    queue = [];
    const made = {
      completed: 3,
      stoppedBy: undefined as string | undefined,
      chain: { queue },
      request: () => void pulls++,
    };
    puller = made;
    pullers = Array.from({ length: groups ** 2 });
    pullers[flatIndex(chainIndexOfHash(hash, groups), groups)] = made as unknown as ChainPuller;
    dependencies = new Dependencies({
      groups,
      clock,
      logger: silentLogger,
      stored: async (hashes) => stored.filter((one) => hashes.includes(one)),
      fetch: async (wanted) => {
        fetched.push(wanted);
        if (!canFetch) throw new Error('no such block');
        return {} as FeedBlock;
      },
      storeSide: async () => void sides++,
      changed: () => undefined,
      expired: () => void expired++,
    });
  });

  it('is looked up in the database once', async () => {
    stored = [hash];
    expect(await dependencies.lookUp(missing)).toBe(true);
    expect(dependencies.isKnown(hash)).toBe(true);
    const other = new Set(['cd'.repeat(32)]);
    expect(await dependencies.lookUp(other)).toBe(false);
    stored.push('cd'.repeat(32));
    expect(await dependencies.lookUp(other)).toBe(false);
  });

  it('has its chain pulled, then is fetched as a side block', async () => {
    await obtain();
    expect([pulls, fetched]).toEqual([1, []]);
    await obtain();
    expect([pulls, fetched]).toEqual([1, []]);
    puller.completed += 1;
    await obtain();
    expect([fetched, sides, dependencies.isKnown(hash)]).toEqual([[hash], 1, true]);
  });

  it('is neither pulled nor fetched while it waits in the queue of its chain', async () => {
    queue.push({ block: { header: { hash } } });
    await obtain();
    puller.completed += 1;
    await obtain();
    expect([pulls, fetched]).toEqual([0, []]);
    queue.length = 0;
    await obtain();
    expect(fetched).toEqual([hash]);
  });

  it('is done without after 30 s', async () => {
    canFetch = false;
    await obtain();
    puller.completed += 1;
    clock.advance(29_999);
    await obtain();
    expect([dependencies.isKnown(hash), expired, sides]).toEqual([false, 0, 0]);
    clock.advance(1);
    await obtain();
    expect([dependencies.isKnown(hash), expired]).toEqual([true, 1]);
  });

  it('is one that nobody shows after 5 s, until no block waits for it', async () => {
    await obtain();
    clock.advance(4_999);
    expect(dependencies.unshown()).toEqual([]);
    clock.advance(1);
    expect(dependencies.unshown()).toEqual([hash]);
    dependencies.obtain(new Set(), pullers);
    expect(dependencies.unshown()).toEqual([]);
  });

  it('is done without at once when its chain is stopped', async () => {
    puller.stoppedBy = 'for a test';
    await obtain();
    expect([dependencies.isKnown(hash), expired, pulls]).toEqual([true, 0, 0]);
  });
});
