import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from '../support/replay-target.js';

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await embeddedStores();
});
afterAll(() => stores.remove());

describe('caches that hold less than a block or a batch needs', () => {
  it('cost time and nothing else: staged blocks stay, and what is read together is there together', async () => {
    const history = readHistory(historyFolder('chain-transfers'));
    const nodes = await openSilentNodes({
      settings: history.settings,
      store: (group) => stores.store(group),
      limits: { trieNodeBytes: 1, blockBytes: 1 },
    });
    const target = groupNodesTarget(nodes, async () => undefined);
    const lines = history.blocks.slice(0, 120);
    for (const line of lines) {
      expect(await target.importBlock(hexToBytes(line.raw))).toMatchObject({ kind: 'added' });
    }
    for (const node of nodes) await node.settle();
    for (const [group, deps] of lines.at(-1)!.bestDeps.entries()) {
      expect(await target.bestDependencies(group)).toEqual(deps);
    }
    await target.checkProjections();
    for (const node of nodes) await node.stop();
  }, 60_000);
});
