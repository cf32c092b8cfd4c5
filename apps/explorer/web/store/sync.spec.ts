import { expect, it } from '@jest/globals';
import { allChains } from './chains.js';
import { type ChainSync, type Sync } from './forms.js';
import { lastHeard, progressOf, progressOfAll, silentGroups } from './sync.js';

const made = (change: (chain: ChainSync) => Partial<ChainSync>): Sync => ({
  synced: false,
  phase: 'initial',
  lagMs: 0,
  finalizedTimestamp: 0,
  unresolvedInputs: 0,
  conflictInputs: 0,
  verify: null,
  chains: allChains(2).map((chain) => {
    const whole = { ...chain, height: 50, nodeHeight: 100, timestamp: 1_000, state: 'following' };
    return { ...whole, ...change(whole) };
  }),
});

it('says how much is indexed, by blocks, of what is known', () => {
  const sync = made(({ chainFrom }) => (chainFrom === 1 ? { nodeHeight: null } : { height: 25 }));
  expect(sync.chains.map(progressOf)).toEqual([0.25, 0.25, undefined, undefined]);
  expect(progressOfAll(sync)).toBe(0.25);
  expect(progressOfAll(made(() => ({ nodeHeight: null })))).toBe(0);
});

it('says that an index ahead of a node is whole, and that of chains without blocks too', () => {
  expect(progressOfAll(made(() => ({ height: 120 })))).toBe(1);
  expect(progressOfAll(made(() => ({ height: 0, nodeHeight: 0 })))).toBe(1);
});

it('calls a group silent when none of its chains is followed, and says since when', () => {
  const sync = made(({ chainFrom, chainTo }) => ({
    state: chainFrom === 1 || chainTo === 1 ? 'unreachable' : 'following',
    timestamp: 10 * chainFrom + chainTo,
  }));
  expect(silentGroups(sync)).toEqual([1]);
  expect(lastHeard(sync, [1])).toBe(11);
  expect(silentGroups(made(() => ({})))).toEqual([]);
});
