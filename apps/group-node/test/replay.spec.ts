import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compareFinalState,
  compareGenesis,
  compareVerdicts,
  Differences,
  readHistory,
  replayInOrder,
  replayPermuted,
} from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from './support/replay-target.js';

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await embeddedStores();
});
afterAll(() => stores.remove());

describe('chain-transfers through four group-nodes and the embedded database', () => {
  it('gives every recorded value and every verdict', async () => {
    const history = readHistory(historyFolder('chain-transfers'));
    const nodes = await openSilentNodes({ settings: history.settings, store: stores.store });
    const target = groupNodesTarget(nodes, async () => undefined);
    const differences = new Differences();
    compareGenesis(history, differences);
    const started = performance.now();
    await replayInOrder(target, history, differences);
    const seconds = (performance.now() - started) / 1000;
    console.info(`${Math.round(history.blocks.length / seconds)} blocks/s`);
    await compareFinalState(target, history, differences);
    await compareVerdicts(target, history, history.blocks.length, differences);
    await target.checkProjections();
    expect(differences.list).toEqual([]);
    await target.close();
  });
});
void replayPermuted;
