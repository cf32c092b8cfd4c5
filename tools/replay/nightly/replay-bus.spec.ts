import { describe, expect, it } from '@jest/globals';
import {
  compareFinalState,
  compareVerdicts,
  Differences,
  readHistory,
  replayInOrder,
  replayPermuted,
} from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { embeddedStores } from '../../../apps/group-node/test/support/embedded-stores.js';
import { TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { busTarget } from '../bus-target.js';

const openNetwork = async (name: string) => {
  const history = readHistory(historyFolder(name));
  const network = new TestNetwork(await embeddedStores(), { mining: 'off' }, history.settings);
  await network.start();
  const { client } = network;
  const onClose = () => network.close();
  const target = busTarget({ client, settings: history.settings, name: 'over the bus', onClose });
  return { history, target };
};

/** The long history with its verdicts takes a while: each block is stored before the next one comes. */
const inOrder = process.env['LONG'] === '1' ? 'chain-transfers' : 'chain-forks/views-a';

describe('a history over the bus, through the services alone', () => {
  it(`${inOrder} comes out equal in every recorded value, verdicts included`, async () => {
    const { history, target } = await openNetwork(inOrder);
    const differences = new Differences();
    await replayInOrder(target, history, differences);
    await compareFinalState(target, history, differences);
    await compareVerdicts(target, history, history.blocks.length, differences);
    await target.close();
    expect(differences.list).toEqual([]);
    expect(differences.compared).toBeGreaterThan(history.blocks.length * 8);
  });

  it('ends equal in any order, every block twice', async () => {
    const { history, target } = await openNetwork('chain-forks/views-b');
    const differences = new Differences();
    await replayPermuted(target, history, 3, differences, { twice: true });
    await target.close();
    expect(differences.list).toEqual([]);
  });
});
