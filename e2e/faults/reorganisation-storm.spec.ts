import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { developmentNetwork } from '@shardnode/protocol/network';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { type ChainState } from '@shardnode/testing/replay';
import { busTarget } from '../../tools/replay/bus-target.js';
import { BranchStorm, type BranchSwitch } from '../kit/cluster/branch-storm.js';
import { Cluster } from '../kit/cluster/cluster.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { type NodeViews, openNodeViews } from '../kit/cluster/node-views.js';
import { MemoryWatch } from '../kit/cluster/process-memory.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { isLong } from '../kit/network.js';
import { checkProjections } from '../kit/projection-check.js';
import { waitFor } from '../kit/wait-for.js';

const settings = developmentNetwork;
const group = 0;
const chain = { from: group, to: group };
const seed = Number(process.env['SEED'] ?? 1);
const size = isLong ? { branches: 1_000, deepest: 200 } : { branches: 40, deepest: 40 };
/** Blocks that wait for their answers, which have a deadline. */
const submittedAtOnce = 32;
/** Megabytes that a process may grow by in the second half, some of it headers, which stay in memory. */
const mostGrowth = 150;

/** Short ones are frequent, as on a real network: from 1 to the deepest, evenly over their orders of magnitude. */
const depths = (random: () => number): number[] =>
  Array.from({ length: size.branches }, (_, branch) =>
    branch < 2 ? [size.deepest, 1][branch]! : Math.round(size.deepest ** random()),
  );

const sorted = (state: ChainState): ChainState => ({ ...state, tips: [...state.tips].sort() });

describeCluster(`a storm of ${size.branches} branches, up to ${size.deepest} blocks deep (seed ${seed})`, () => {
  let cluster: Cluster;
  let views: NodeViews;
  let keys: readonly TestKey[];
  const payee = testKeyOfGroup(group, 11);
  const raws: Uint8Array[] = [];

  beforeAll(async () => {
    cluster = new Cluster({ settings: { MINING: 'off' } });
    await cluster.start();
    views = await openNodeViews(cluster);
    keys = await developmentKeys();
  });
  afterAll(async () => {
    await views?.close();
    if (process.env['SHOW_LOG'] === '1') process.stderr.write(cluster.log());
    await cluster?.remove();
  });

  const target = () =>
    busTarget({ client: views.client, settings, name: 'group-nodes', onClose: () => Promise.resolve() });

  /** Hands over the blocks; the node has changed over when it resolves. */
  const submit = async ({ raws: blocks, tip, height }: BranchSwitch): Promise<void> => {
    raws.push(...blocks);
    const outcomes = await mapBounded(blocks, submittedAtOnce, (block) =>
      views.client.request(group, 'command.block.submit', { block }),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'known')).toEqual([]);
    await waitFor(
      `block ${tip} to be the heaviest`,
      async () => (await views.client.request(group, 'read.chain.hashes', { ...chain, height })).hashes[0] === tip,
      { everyMs: 5, timeoutMs: 60_000 },
    );
  };

  it('is followed, switch by switch, and memory stays', async () => {
    const random = seededRandom(seed);
    const storm = new BranchStorm({ settings, payer: keys[group]!, payee, group, random });
    const memory = new MemoryWatch(groupNodeNames.map((name) => cluster.process(name)));
    await submit(await storm.grow(size.deepest));
    let [switches, took, left] = [0, 0, 0];
    for (const depth of depths(random)) {
      const steps = await storm.next(depth);
      const began = performance.now();
      for (const step of steps) await submit(step);
      took += performance.now() - began;
      switches += steps.length;
      left += steps.reduce((sum, step) => sum + step.depth, 0);
      memory.sample();
    }
    const rate = (1_000 * switches) / took;
    process.stderr.write(
      `${size.branches} branches, ${raws.length} blocks, ${switches} switches that left ${left} blocks, ` +
        `${rate.toFixed(1)} switches a second\n${memory.describe()}`,
    );
    expect(memory.growth()).toBeLessThan(mostGrowth);
  }, 3_600_000);

  it('tips, states and outputs equal those of a fresh replay, in all four group-nodes', async () => {
    const node = new MemoryNode(settings);
    for (const raw of raws) {
      node.importBlock(raw);
      // The connections of the services lead through this process: they are not to fall silent.
      await yieldToEventLoop();
    }
    const [nodes, fresh] = [target(), memoryNodeTarget(node)];
    expect(sorted(await nodes.chainState(chain))).toEqual(sorted(await fresh.chainState(chain)));
    const { currentHeight, tips } = await fresh.chainState(chain);
    const newest = Array.from({ length: 20 }, (_, back) => node.dag.hashesAt(chain, currentHeight - back)[0]!);
    for (const hash of new Set([...tips.slice(-200), ...newest])) {
      expect({ hash, ...(await nodes.worldState(hash, group)) }).toEqual({ hash, ...node.worldState(hash) });
    }
    for (const { address } of [keys[group]!, payee]) {
      expect(await nodes.unspentOutputs(address)).toEqual(await fresh.unspentOutputs(address));
    }
  }, 1_800_000);

  it('the projection equals the trie', async () => {
    await views.close();
    await cluster.stop();
    expect(await checkProjections(cluster)).toBeGreaterThan(0);
  }, 600_000);
});
