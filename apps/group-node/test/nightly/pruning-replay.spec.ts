import { describe, expect, it } from '@jest/globals';
import {
  compareFinalState,
  Differences,
  type History,
  readHistory,
  replayInOrder,
  type ReplayTarget,
} from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { type GroupNode } from '../../src/group-node.js';
import { reachableNodes } from '../../src/pruning/sweep.js';
import { embeddedStores } from '../support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from '../support/replay-target.js';

/** What is about contracts holds transfers too. */
const histories = process.env['LONG'] === '1' ? ['chain-transfers', 'chain'] : ['chain'];

/** Heights: more than the recorded forks are deep, and much less than the chains are high. */
const horizon = 12;

/** How many states were pruned, after a check that all the others can be read. */
const prunedStates = async ({ state, store, pruner }: GroupNode): Promise<number> => {
  await pruner!.finish();
  const { dag, horizon: readable } = state.memory;
  const chain = { from: state.group, to: state.group };
  const kept: string[] = [];
  let gone = 0;
  for (let height = 0; height <= dag.maxHeight(chain); height++) {
    for (const hash of dag.hashesAt(chain, height)) {
      if (readable.isReadable(hash)) kept.push(hash);
      else gone += 1;
    }
  }
  const states = await store.worldStates(kept);
  await reachableNodes(
    store,
    [...states.values()].flatMap(({ outputRoot, contractRoot }) => [outputRoot, contractRoot]),
  );
  expect(await store.checkProjection()).toMatchObject({ equal: true });
  return gone;
};

/** The recorded values, but those of states that are gone. */
const replayPruned = async (history: History, nodes: readonly GroupNode[], target: ReplayTarget): Promise<number> => {
  const differences = new Differences();
  await replayInOrder(target, history, differences);
  let pruned = 0;
  for (const node of nodes) pruned += await prunedStates(node);
  await compareFinalState(target, history, differences);
  expect(differences.list).toEqual([]);
  return pruned;
};

describe.each(histories)('%s with pruning', (name) => {
  it('ends as recorded, also after a restart', async () => {
    const history = readHistory(historyFolder(name));
    const stores = await embeddedStores();
    const open = () =>
      openSilentNodes({ settings: history.settings, store: (group) => stores.store(group), pruningHorizon: horizon });
    const nodes = await open();
    const target = groupNodesTarget(nodes, async () => undefined);
    expect(await replayPruned(history, nodes, target)).toBeGreaterThan(20);
    await target.close();

    const again = await open();
    const reopened = groupNodesTarget(again, () => stores.remove());
    const differences = new Differences();
    await compareFinalState(reopened, history, differences);
    expect(differences.list).toEqual([]);
    for (const node of again) expect(await prunedStates(node)).toBeGreaterThan(0);
    await reopened.close();
  }, 120_000);
});
