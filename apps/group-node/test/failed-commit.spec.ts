import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { type GroupStore } from '../src/store/index.js';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from './support/replay-target.js';

/** Commits of every group fail now and then, before anything is written. */
const failing = (store: GroupStore, every: number): GroupStore => {
  let count = 0;
  return {
    ...store,
    commitBlocks: async (commits) => {
      // The first one is genesis, without which there is no node.
      if (++count > 1 && count % every === 0) throw new Error('the database went away');
      await store.commitBlocks(commits);
    },
  };
};

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await embeddedStores();
});
afterAll(() => stores.remove());

describe('commits that fail', () => {
  it('take back what was ahead of the store, and lose nothing else', async () => {
    const history = readHistory(historyFolder('chain-transfers'));
    const nodes = await openSilentNodes({
      settings: history.settings,
      store: async (group) => failing(await stores.store(group), 3),
    });
    const target = groupNodesTarget(nodes, async () => undefined);
    const lines = history.blocks.slice(0, 200);
    const isThere = async (hash: string, from: number): Promise<boolean> =>
      nodes.every(({ state }) => state.memory.published.has(hash)) &&
      (await nodes[from]!.store.chainRows([hash])).length === 1;
    for (let round = 0; round < 60; round++) {
      for (const line of lines) await target.importBlock(hexToBytes(line.raw)).catch(() => undefined);
      for (const node of nodes) await node.settle().catch(() => undefined);
      const there = await Promise.all(lines.map(({ hash, chain }) => isThere(hash, chain[0])));
      if (there.every(Boolean)) break;
    }
    const last = lines.at(-1)!;
    for (const [group, deps] of last.bestDeps.entries()) expect(await target.bestDependencies(group)).toEqual(deps);
    for (const line of lines) {
      const [from, to] = line.chain;
      expect(await isThere(line.hash, from)).toBe(true);
      expect(await target.blockState(line.hash, { from, to })).toMatchObject({ height: line.height });
    }
    await target.checkProjections();
    for (const node of nodes) await node.stop().catch(() => undefined);
  });
});
