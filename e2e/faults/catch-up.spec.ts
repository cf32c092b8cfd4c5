import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { type Answer } from '../kit/api-client.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { groupNodeNames, type ClusterProcess } from '../kit/cluster/cluster-process.js';
import { type NodeViews, openNodeViews } from '../kit/cluster/node-views.js';
import { PublishedHistory } from '../kit/cluster/published-history.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { WalletSenders } from '../kit/cluster/wallet-senders.js';
import { chains, groups } from '../kit/chains.js';
import { build, chainHeight, confirmed, oneCoin, signOffline, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

/** What a client sends to the group that is behind. */
interface Question {
  readonly unsignedTx: string;
  readonly signature: string;
}

/** Milliseconds for a test; a busy machine makes 300 blocks slowly. */
const limit = 300_000;

describeCluster('group-nodes that missed something', () => {
  let scenario: Scenario;
  let views: NodeViews;
  let history: PublishedHistory;
  let wallets: WalletSenders;
  beforeAll(async () => {
    scenario = await openScenario('catching up', { load: { sendersPerGroup: 2, everyMs: 400 } });
    const { api, funded, load, cluster } = scenario;
    views = await openNodeViews(cluster);
    history = new PublishedHistory(views);
    wallets = await WalletSenders.prepare([api], funded, load, { wallets: 2 });
    wallets.begin(2);
    await wallets.finished();
  });
  afterAll(async () => {
    await views?.close();
    await scenario?.remove();
  });

  const nodeOf = (group: number): ClusterProcess => scenario.cluster.process(groupNodeNames[group]!);

  /** So many blocks on each chain of the groups, all chains at the same time. */
  const mine = async (from: readonly number[], blocksOfEach: number): Promise<number> => {
    const wanted = chains.filter((chain) => from.includes(chain.from));
    await Promise.all(
      wanted.map(async (chain) => {
        const options = { deadlineMs: 60_000 };
        for (let block = 0; block < blocksOfEach; block++) {
          await views.client.request(chain.from, 'command.mining.mine-one', chain, options);
        }
      }),
    );
    return wanted.length * blocksOfEach;
  };

  const countOf = (some: typeof chains): number => some.reduce((sum, chain) => sum + history.of(chain).length, 0);

  /** A transfer of the funded account of a group, which the load does not use. */
  const prepare = async (group: number): Promise<Question> => {
    const { api, funded } = scenario;
    const [to] = testKeysOfGroup((group + 1) % 4, 70).slice(69);
    const key = funded[group]!;
    const built = await build(api, key, [{ address: to!.address, attoCoinAmount: oneCoin.toString() }]);
    return { unsignedTx: built.unsignedTx, signature: signOffline(built, key) };
  };

  const submit = (body: Question): Promise<Answer> => scenario.api.send('POST', '/transactions/submit', { body });

  /** Heights of a group's own chains as another group-node sees them. */
  const heightsOf = async (group: number, witness: number): Promise<readonly number[]> =>
    Promise.all(
      groups.map(async (to) => {
        const info = await views.client.request(witness, 'read.chain.info', { from: group, to });
        return info.currentHeight;
      }),
    );

  /**
   * The node starts while the sibling that it needs does not answer: it has to wait for that one, says so, and neither mines
   * nor admits. Then the sibling goes on. Gives the milliseconds from there until it was ready.
   */
  const startWithSilentSibling = async (group: number, silent: number, question: Question): Promise<number> => {
    const witness = groups.find((other) => other !== group && other !== silent)!;
    const published = await heightsOf(group, witness);
    const node = nodeOf(group);
    await nodeOf(silent).freeze();
    try {
      node.begin();
      await expectWaiting(node, silent);
      // A killed node may have stored blocks that nobody else has heard of yet.
      const stored = await heightsOf(group, group);
      const known = published.map((height, chain) => Math.max(height, stored[chain]!));
      await expectRefusals(group, silent, question);
      expect((await node.health()).ready).toBe(false);
      for (const viewer of [group, witness]) {
        for (const [chain, height] of (await heightsOf(group, viewer)).entries()) {
          expect(height).toBeLessThanOrEqual(known[chain]!);
        }
      }
    } finally {
      nodeOf(silent).thaw();
    }
    const began = performance.now();
    await node.ready;
    return performance.now() - began;
  };

  const expectWaiting = (node: ClusterProcess, silent: number): Promise<boolean> =>
    waitFor(
      'the node to wait for its sibling',
      async () => {
        const { ready, reasons } = await node.health();
        expect(ready).toBe(false);
        return reasons.some((reason) => reason.includes(`waits for group ${silent}`));
      },
      { timeoutMs: 60_000 },
    );

  /** Longer than the heartbeat of instant mining takes for all chains. */
  const expectRefusals = async (group: number, silent: number, question: Question): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      const answer = await submit(question);
      expect(answer.status).toBe(503);
      expect(answer.text).toContain(`(group ${group}: it waits for group ${silent})`);
      const mining = views.client.request(group, 'command.mining.mine-one', { from: group, to: group });
      await expect(mining).rejects.toMatchObject({ kind: 'unavailable', data: { group } });
      await pause(500);
    }
  };

  it(
    'one that was down while 300 blocks were made catches up by itself, and is ready only then',
    async () => {
      const { load, api } = scenario;
      const question = await prepare(3);
      await history.follow();
      load.begin();
      await waitFor('the load to begin', () => load.acknowledged > 4 + wallets.acknowledged);
      await nodeOf(3).kill9();
      const answer = await submit(question);
      expect(answer.status).toBe(503);
      expect(answer.text).toContain('group 3');
      const began = performance.now();
      expect(await mine([0, 1, 2], 25)).toBe(300);
      const made = performance.now() - began;
      const tips = await Promise.all(
        chains.map(({ from, to }) => views.client.request(0, 'read.chain.info', { from, to })),
      );

      const caughtUpAfter = await startWithSilentSibling(3, 1, question);
      // Everything that the others had is there in the moment in which it says that it is ready.
      for (const [index, chain] of chains.entries()) {
        const { currentHeight } = await views.client.request(3, 'read.chain.info', chain);
        expect(currentHeight).toBeGreaterThanOrEqual(tips[index]!.currentHeight);
      }
      const sent = await submit(question);
      expect(sent.status).toBe(200);
      await confirmed(api, (JSON.parse(sent.text) as { txId: string }).txId);
      await load.rest();
      await load.settle();
      await history.follow();
      await history.expectKept([3], chains);
      process.stderr.write(
        `300 blocks made in ${made.toFixed(0)} ms, caught up ${caughtUpAfter.toFixed(0)} ms after the last sibling answered\n`,
      );
    },
    limit,
  );

  it(
    'one that is restored from a backup of 200 blocks ago continues its published history and makes no other',
    async () => {
      const { cluster, load, api } = scenario;
      const own = chains.filter(({ from }) => from === 1);
      const node = nodeOf(1);
      // What is pending in the backup was mined since.
      await node.restart({ MINING: 'off' });
      const pending = await transfer(api, scenario.funded[1]!, [
        { address: testKeysOfGroup(2, 70)[69]!.address, attoCoinAmount: oneCoin.toString() },
      ]);
      await node.stop();
      await cluster.backup('group-node-1', 'early');
      await node.start();
      await confirmed(api, pending.txId);

      await history.follow();
      const blocks = countOf(own);
      load.begin();
      await mine(groups, 20);
      await mine([1], 30);
      await load.rest();
      await load.settle();
      await history.follow();
      expect(countOf(own) - blocks).toBeGreaterThanOrEqual(200);

      const question = await prepare(1);
      await node.kill9();
      await cluster.restore('group-node-1', 'early');
      // Group 2 has the bodies of (1,1) and (1,2): without it the node does not know where its own history ends.
      const caughtUpAfter = await startWithSilentSibling(1, 2, question);
      await history.expectKept([1], own);
      expect((await submit(question)).status).toBe(200);

      load.begin();
      await mine(groups, 2);
      await pause(1_000);
      await load.rest();
      for (const chain of own) {
        expect(await chainHeight(api, chain.from, chain.to)).toBeGreaterThanOrEqual(history.of(chain).length);
      }
      await history.follow();
      // Nobody has a second block at any height of its chains: neither itself nor those who would have taken one.
      await history.expectKept(groups, own);
      await confirmed(api, pending.txId);
      process.stderr.write(
        `restored from a backup, caught up ${caughtUpAfter.toFixed(0)} ms after the last sibling answered\n`,
      );
    },
    limit,
  );

  it('wallets are there after the wallet-service was killed', async () => {
    const service = scenario.cluster.process('wallet-service');
    await service.kill9();
    await service.start();
    await wallets.expectKept();
    const before = wallets.acknowledged;
    wallets.begin(2);
    await wallets.finished();
    expect(wallets.acknowledged).toBe(before + 4);
  });

  it('everything acknowledged is confirmed exactly once', async () => {
    const { report } = await scenario.finish();
    expect(report.blocks).toBeGreaterThan(700);
  });
});
