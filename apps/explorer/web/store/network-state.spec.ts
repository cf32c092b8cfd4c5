import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { chainOfHash, chainOfIndex, dependencyOnChain, dependencyOnGroup, groupOfHint } from './chains.js';
import { hashOf, madeBlock } from './made-blocks.js';
import {
  emptyNetwork,
  haveGap,
  isOfAnother,
  mostBlocks,
  pendingVersion,
  stalledChains,
  trafficOf,
  withAddressChange,
  withBlocks,
  withHello,
  withPending,
  withPendingList,
  withReorganisation,
  withSnapshot,
} from './network-state.js';

const live = { isLive: true, now: 1_700_000_100_000 };
const past = { isLive: false, now: 1_700_000_100_000 };
const anyBlocks = fc.uniqueArray(
  fc.record({ chain: fc.nat(15), height: fc.nat(60) }).map(({ chain, height }) => madeBlock(chain, height)),
  { selector: ({ hash }) => hash, maxLength: 120 },
);

describe('chains', () => {
  it('are found from hashes and hints', () => {
    expect(chainOfHash(hashOf(7, 1), 4)).toEqual({ chainFrom: 1, chainTo: 3 });
    expect(chainOfHash(`${'0'.repeat(60)}0102`, 4)).toEqual(chainOfIndex(0x102 % 16, 4));
    expect(groupOfHint(1022114513, 4)).toBe(3);
    expect(groupOfHint(933512263, 4)).toBe(0);
  });

  it('are found in dependencies: other groups first, then the chains of the own group', () => {
    const deps = ['g0', 'g1', 'g3', 'c0', 'c1', 'c2', 'c3'];
    expect([0, 1, 3].map((group) => dependencyOnGroup(deps, 2, group))).toEqual(['g0', 'g1', 'g3']);
    expect([0, 1, 2, 3].map((to) => dependencyOnChain(deps, to))).toEqual(['c0', 'c1', 'c2', 'c3']);
  });
});

describe('blocks', () => {
  it('are newest first, each once, in whatever parts they arrive', () => {
    fc.assert(
      fc.property(anyBlocks, fc.nat(120), (blocks, at) => {
        const whole = withBlocks(emptyNetwork(), blocks, past);
        const [early, late] = [blocks.slice(at), blocks.slice(0, at)];
        const parts = withBlocks(withBlocks(emptyNetwork(), early, past), [...late, ...early], past);
        expect(parts.blocks).toEqual(whole.blocks);
        expect(parts.heads).toEqual(whole.heads);
        const times = whole.blocks.map(({ timestamp }) => timestamp);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(new Set(whole.blocks.map(({ hash }) => hash)).size).toBe(blocks.length);
      }),
    );
  });

  it('are kept up to a number, the newest', () => {
    const blocks = Array.from({ length: mostBlocks + 50 }, (_, height) => madeBlock(0, height));
    const { blocks: kept, heads } = withBlocks(emptyNetwork(), blocks, past);
    expect(kept).toHaveLength(mostBlocks);
    expect(kept.at(-1)!.height).toBe(50);
    expect(heads[0]!.height).toBe(mostBlocks + 49);
  });

  it('are told apart from those that were loaded', () => {
    const loaded = withBlocks(emptyNetwork(), [madeBlock(0, 1)], past);
    const { arrived } = withBlocks(loaded, [madeBlock(0, 2)], live);
    expect([...arrived]).toEqual([madeBlock(0, 2).hash]);
  });

  it('are counted as they arrive, each once', () => {
    const first = withBlocks(emptyNetwork(), [madeBlock(0, 1)], past);
    const more = [madeBlock(0, 1), madeBlock(0, 2, { txNumber: 3 }), madeBlock(0, 2, { txNumber: 3 }), madeBlock(1, 1)];
    expect(withBlocks(withBlocks(first, more, live), more, live).arrivals).toEqual({ blocks: 2, transactions: 4 });
  });
});

describe('reorganisations', () => {
  const before = withBlocks(
    emptyNetwork(),
    [1, 2, 3].map((height) => madeBlock(5, height)),
    past,
  );
  const branch = [2, 3, 4].map((height) => madeBlock(5, height, { hash: hashOf(5, 100 + height) }));

  it('move what they remove aside, and put the branch in its place', () => {
    const removed = [madeBlock(5, 3).hash, madeBlock(5, 2).hash];
    const after = withReorganisation(
      before,
      { chainFrom: 1, chainTo: 1, forkHeight: 1, removed, added: branch },
      live.now,
    );
    expect(after.blocks.map(({ hash }) => hash)).toEqual(
      [...branch.toReversed(), madeBlock(5, 1)].map(({ hash }) => hash),
    );
    expect(after.orphans.map(({ block }) => block.hash)).toEqual(removed);
    expect(after.heads[5]).toBe(branch.at(-1));
  });

  it('are noticed without being told, by another block at a known place', () => {
    const after = withBlocks(before, branch, live);
    expect(after.orphans.map(({ block }) => block.height)).toEqual([3, 2]);
    expect(after.heads[5]!.height).toBe(4);
  });

  it('undo themselves', () => {
    const there = withBlocks(before, branch, live);
    const back = withReorganisation(
      there,
      {
        chainFrom: 1,
        chainTo: 1,
        forkHeight: 1,
        removed: branch.map(({ hash }) => hash),
        added: [2, 3].map((height) => madeBlock(5, height)),
      },
      live.now,
    );
    expect(back.blocks).toEqual(before.blocks);
    expect(back.heads).toEqual(before.heads);
    expect(back.orphans.map(({ block }) => block.height)).toEqual([4, 3, 2]);
  });
});

describe('pending transactions', () => {
  const entry = (hash: string) => ({ hash, chainFrom: 0, chainTo: 1, lastSeen: 1 });

  it('come and go, and those that are only counted stay counted', () => {
    const listed = withPendingList(emptyNetwork(), [entry('a'), entry('b')], 10);
    const changed = withPending(listed, { added: [entry('c')], removed: ['a'] });
    expect([...changed.pending.keys()]).toEqual(['b', 'c']);
    expect(changed.pendingCount).toBe(10);
    expect(withPending(changed, { removed: ['unknown'] }).pendingCount).toBe(9);
  });

  it('change the lists of pages that show them when they leave, also those that no event had named', () => {
    const listed = withPendingList(emptyNetwork(), [entry('a')], 200);
    const versions = (state: typeof listed) =>
      [['a'], ['a', 'b'], ['c'], []].map((hashes) => pendingVersion(state, hashes));
    const changed = (after: typeof listed, before = listed): boolean[] =>
      versions(after).map((version, i) => version !== versions(before)[i]);
    expect(changed(withPending(listed, { removed: ['a'] }))).toEqual([true, true, false, false]);
    expect(changed(withPending(listed, { removed: ['b'] }))).toEqual([false, true, false, false]);
    expect(changed(withPending(listed, { added: [entry('d')] }))).toEqual([false, false, false, false]);
    // The list after a snapshot, an overflow or a poll.
    expect(changed(withPendingList(listed, [entry('a')]))).toEqual([true, true, true, false]);
    const back = withPending(withPending(listed, { removed: ['a'] }), { added: [entry('a')] });
    expect(changed(back)).toEqual([false, false, false, false]);
  });
});

describe('the state of the network', () => {
  it('starts anew with another number of groups', () => {
    const before = withBlocks(emptyNetwork(), [madeBlock(0, 1)], past);
    const hello = { groups: 2, coinSymbol: 'X', blockTargetTimeMs: 16_000, serverTime: 0 };
    expect(withHello(before, hello)).toMatchObject({ groups: 2, coinSymbol: 'X', blocks: [], blockTargetMs: 16_000 });
    expect(withHello(before, { ...hello, groups: 4 }).blocks).toHaveLength(1);
  });

  it('takes heads that are older than the newest blocks from a snapshot', () => {
    const state = withSnapshot(
      emptyNetwork(),
      { heads: [madeBlock(3, 7), madeBlock(4, 9)], firstBlocks: [], latestBlocks: [madeBlock(4, 9)] },
      live.now,
    );
    expect(state.heads.map((head) => head?.height)).toEqual(Array.from({ length: 16 }, (_, i) => ({ 3: 7, 4: 9 })[i]));
    expect(state.arrived.size).toBe(0);
  });

  it('counts what happens at watched addresses, and beginnings of the stream that may have missed some', () => {
    const change = { address: 'anna', txHash: hashOf(0, 1), kind: 'pending' } as const;
    const twice = withAddressChange(withAddressChange(emptyNetwork(), change), { ...change, kind: 'confirmed' });
    expect([...twice.touched]).toEqual([['anna', 2]]);
    const { touched, snapshots } = withSnapshot(twice, { heads: [], firstBlocks: [], latestBlocks: [] }, live.now);
    expect([touched.get('anna'), snapshots]).toEqual([2, 1]);
  });

  it('knows a network that was started over by its first blocks', () => {
    const heads = Array.from({ length: 16 }, (_, chain) => madeBlock(chain, 0));
    const other = { heads, firstBlocks: [hashOf(0, 99)], latestBlocks: [] };
    const empty = { heads, firstBlocks: [], latestBlocks: [] };
    const known = withBlocks(emptyNetwork(), [madeBlock(0, 1), madeBlock(3, 7)], past);
    expect(known.firstBlocks).toEqual([madeBlock(0, 1).hash]);
    expect([other, empty].map((snapshot) => isOfAnother(known, snapshot))).toEqual([true, true]);
    const same = { heads: [], firstBlocks: [hashOf(0, 99), madeBlock(0, 1).hash], latestBlocks: [] };
    expect(isOfAnother(known, same)).toBe(false);
    // An index that is built again has no first blocks at its beginning.
    expect(isOfAnother(known, { ...empty, heads: heads.slice(0, 3) })).toBe(false);
    expect(isOfAnother(emptyNetwork(), other)).toBe(false);
    expect(withSnapshot(emptyNetwork(), other, live.now).firstBlocks).toEqual(other.firstBlocks);
  });

  it('finds that events were lost by the heights of what comes next', () => {
    const state = withBlocks(emptyNetwork(), [madeBlock(0, 5)], past);
    const gap = (...heights: readonly number[]): boolean =>
      haveGap(
        state,
        heights.map((height) => madeBlock(0, height)),
      );
    expect([gap(6), gap(6, 7), gap(5), gap(7), gap(6, 8), gap()]).toEqual([false, false, false, true, true, false]);
    expect(haveGap(state, [madeBlock(1, 9), madeBlock(1, 10)])).toBe(false);
  });

  it('names chains that stand while others go on, and none while all stand', () => {
    const now = 1_700_000_000_000;
    const heads = Array.from({ length: 16 }, (_, chain) =>
      madeBlock(chain, 1, { timestamp: now - (chain === 6 ? 400_000 : 30_000) }),
    );
    const state = withBlocks({ ...emptyNetwork(), blockTargetMs: 64_000 }, heads, past);
    expect([...stalledChains(state, now)]).toEqual([6]);
    expect(stalledChains(state, now + 3_600_000).size).toBe(0);
  });

  it('sums transactions of users by chain over an hour', () => {
    const now = 1_700_000_000_000;
    const at = (chain: number, height: number, minutesAgo: number, txNumber: number) =>
      madeBlock(chain, height, { timestamp: now - minutesAgo * 60_000, txNumber });
    const state = withBlocks(
      emptyNetwork(),
      [at(0, 1, 70, 50), at(0, 2, 50, 4), at(1, 1, 10, 2), at(0, 3, 1, 1)],
      past,
    );
    const { counts, total, inside, spanMs } = trafficOf(state, now);
    expect([counts[0], counts[1], total, inside, spanMs]).toEqual([3, 1, 4, 0.75, 3_600_000]);
    expect(trafficOf(emptyNetwork(), now)).toMatchObject({ total: 0, inside: 0, spanMs: 0 });
  });
});
