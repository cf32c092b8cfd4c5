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
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from '../support/replay-target.js';

/** In full length the large one; in order it is replayed above, whole. */
const permuted = process.env['LONG'] === '1' ? 'chain-transfers' : 'chain-forks/views-a';

let stores: EmbeddedStores;
beforeAll(async () => {
  stores = await embeddedStores();
});
afterAll(() => stores.remove());

describe('chain-transfers through four group-nodes and the embedded database', () => {
  const history = readHistory(historyFolder('chain-transfers'));

  it('gives every recorded value and every verdict', async () => {
    const nodes = await openSilentNodes({ settings: history.settings, store: stores.store });
    const target = groupNodesTarget(nodes, async () => undefined);
    const differences = new Differences();
    compareGenesis(history, differences);
    await replayInOrder(target, history, differences);
    await compareFinalState(target, history, differences);
    await compareVerdicts(target, history, history.blocks.length, differences);
    await target.checkProjections();
    expect(differences.list).toEqual([]);
    await target.close();
  });
});

describe(`${permuted} in a random order, each block twice`, () => {
  it('gives the same final state, also after a restart', async () => {
    const history = readHistory(historyFolder(permuted));
    const fresh = await embeddedStores();
    const open = async (close: () => Promise<void>) =>
      groupNodesTarget(await openSilentNodes({ settings: history.settings, store: fresh.store }), close);
    const differences = new Differences();
    const target = await open(async () => undefined);
    await replayPermuted(target, history, 11, differences, { twice: true });
    await target.checkProjections();
    await target.close();
    const again = await open(() => fresh.remove());
    await compareFinalState(again, history, differences);
    await again.close();
    expect(differences.list).toEqual([]);
  });
});
