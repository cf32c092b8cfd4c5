import { describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@shardnode/protocol/encoding';
import {
  compareFinalState,
  compareGenesis,
  compareVerdicts,
  Differences,
  outcomeText,
  readHistory,
  replayInOrder,
  replayPermuted,
  type ReplayTarget,
} from '@shardnode/testing/replay';
import { describeWithServers } from '@shardnode/testing/servers';
import { historyFolder } from '@shardnode/testing/vectors';
import { openClusterTarget } from '../../tools/replay/cluster-target.js';
import { openEmbeddedTarget } from '../../tools/replay/embedded-target.js';

const history = readHistory(historyFolder('chain'));
const judgedEntries = history.judged.reduce((sum, { entries }) => sum + entries.length, 0);
const isLong = process.env['LONG'] === '1';
const seeds = [1, 2, 3, 4, 5];

/** Runs against fresh group-nodes and gives what is not as recorded, and how much was compared. */
const replayed = async (
  open: () => Promise<ReplayTarget>,
  run: (target: ReplayTarget, differences: Differences) => Promise<void>,
): Promise<Differences> => {
  const target = await open();
  const differences = new Differences();
  try {
    await run(target, differences);
  } finally {
    await target.close();
  }
  return differences;
};

/** The rest of the blocks in their order, many under way at once; what is recorded of each is compared at the end. */
const importRest = async (target: ReplayTarget, oneByOne: number, differences: Differences): Promise<void> => {
  const raws = history.blocks.slice(oneByOne).map(({ raw }) => hexToBytes(raw));
  const outcomes = (await target.importBlocks?.(raws)) ?? [];
  const unexpected = outcomes.filter(({ kind }) => kind !== 'added' && kind !== 'buffered').map(outcomeText);
  differences.compare('the rest of the blocks', 'outcomes', [], unexpected);
};

interface Replays {
  readonly open: () => Promise<ReplayTarget>;
  /** Blocks that come alone, each followed by a comparison of everything recorded right after it; 0: not in their order at all. */
  readonly oneByOne: number;
  readonly seeds: readonly number[];
}

/**
 * Canonical lists, weights, the roots and the state hash after every block, events, contracts and balances, whatever the
 * order of arrival, and every bad block and transaction refused by its name: judged, and handed in as from outside.
 */
const itReplays = ({ open, oneByOne, seeds: own }: Replays): void => {
  if (oneByOne > 0) {
    it('in the recorded order, with all bad blocks and transactions after it', async () => {
      const differences = await replayed(open, async (target, found) => {
        compareGenesis(history, found);
        await replayInOrder(target, { ...history, blocks: history.blocks.slice(0, oneByOne) }, found);
        if (oneByOne < history.blocks.length) await importRest(target, oneByOne, found);
        await compareFinalState(target, history, found);
        await compareVerdicts(target, history, history.blocks.length, found);
      });
      expect(differences.list).toEqual([]);
      expect(differences.compared).toBeGreaterThan(oneByOne * 8 + history.blocks.length * 2 + judgedEntries * 2);
    });
  }

  for (const seed of own) {
    it(`in a random order (seed ${seed}), every block twice`, async () => {
      const differences = await replayed(open, (target, found) =>
        replayPermuted(target, history, seed, found, { twice: true }),
      );
      expect(differences.list).toEqual([]);
      expect(differences.compared).toBeGreaterThan(history.blocks.length * 2);
    });
  }
};

it('holds contracts, events of several branches, and entries that are refused', () => {
  const contracts = history.final.groups.flatMap((group) => group.contracts ?? []);
  const eventful = history.blocks.filter(({ events = [] }) => events.length > 0);
  expect(contracts.length).toBeGreaterThan(20);
  expect(eventful.length).toBeGreaterThan(50);
  expect(eventful.some(({ canonical }) => !canonical)).toBe(true);
  expect(judgedEntries).toBe(259);
});

describe('a history with contracts through four group-nodes over the embedded database', () => {
  itReplays({
    open: () => openEmbeddedTarget(history),
    // In that order the suite of the group-node has it, too.
    oneByOne: isLong ? history.blocks.length : 0,
    seeds: isLong ? seeds : [1],
  });
});

describeWithServers(['postgres', 'nats'], 'a history with contracts through four group-node processes', () => {
  itReplays({
    open: () => openClusterTarget(history),
    oneByOne: isLong ? history.blocks.length : 50,
    seeds: isLong ? seeds : [],
  });
});
