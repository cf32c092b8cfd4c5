import { expect, it } from '@jest/globals';
import { hexToBytes } from '@shardnode/protocol/encoding';
import {
  compareFinalState,
  compareVerdicts,
  Differences,
  readHistory,
  replayInOrder,
  replayPermuted,
} from '@shardnode/testing/replay';
import { describeWithServers } from '@shardnode/testing/servers';
import { historyFolder } from '@shardnode/testing/vectors';
import { openClusterTarget } from '../../tools/replay/cluster-target.js';

const history = readHistory(historyFolder('chain-transfers'));
const isLong = process.env['LONG'] === '1';
/** Each of them stored, and in all four processes, before the next one comes. */
const oneByOne = isLong ? history.blocks.length : 50;

describeWithServers(['postgres', 'nats'], 'chain-transfers through four group-node processes', () => {
  it(`gives every recorded value after each of ${oneByOne} blocks, then the final state and the verdicts`, async () => {
    const target = await openClusterTarget(history);
    const differences = new Differences();
    try {
      await replayInOrder(target, { ...history, blocks: history.blocks.slice(0, oneByOne) }, differences);
      const rest = await target.importBlocks(history.blocks.slice(oneByOne).map(({ raw }) => hexToBytes(raw)));
      expect(rest.filter(({ kind }) => kind !== 'added' && kind !== 'buffered')).toEqual([]);
      await compareFinalState(target, history, differences);
      await compareVerdicts(target, history, history.blocks.length, differences);
    } finally {
      await target.close();
    }
    expect(differences.list).toEqual([]);
    expect(differences.compared).toBeGreaterThan(oneByOne * 8 + history.blocks.length * 2);
  });

  (isLong ? it : it.skip)('ends equal in a random order, every block twice', async () => {
    const target = await openClusterTarget(history);
    const differences = new Differences();
    try {
      await replayPermuted(target, history, 5, differences, { twice: true });
    } finally {
      await target.close();
    }
    expect(differences.list).toEqual([]);
  });
});
