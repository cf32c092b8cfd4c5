import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { describeCluster } from '../kit/deployment-under-test.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { agreement } from '../kit/cluster/node-views.js';
import { ReadMix } from '../kit/cluster/read-mix.js';
import { processNumbers } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

/** Milliseconds of an outage of the server. */
const outages = isLong ? [1_000, 10_000, 60_000] : [1_000, 3_000];
/** Milliseconds of the other faults. */
const faultFor = isLong ? 20_000 : 4_000;
const cutGroup = 2;
const cutName = groupNodeNames[cutGroup];
const others = groups.filter((group) => group !== cutGroup);

/** What the bus may do to a network (09-cluster §7): nothing is lost, nobody waits for ever, and nobody has to help. */
describeCluster('NATS in trouble', () => {
  let scenario: Scenario;
  let reads: ReadMix;
  let pids: readonly string[];
  let last = 0;
  beforeAll(async () => {
    scenario = await openScenario('NATS in trouble', { load: { sendersPerGroup: 2, everyMs: 100 } });
    const { api, funded, load, cluster } = scenario;
    pids = processNumbers(scenario);
    const walletName = 'savings';
    await api.post('/wallets', { password: 'correct horse battery staple', walletName, mnemonicSize: 12 });
    const sent = await Promise.all(
      [1, 2].map(async (to) => {
        const from = funded[to - 1]!;
        const { txId } = await transfer(api, from, [{ address: funded[to]!.address, attoCoinAmount: `${oneCoin}` }]);
        return { txId, ...(await confirmed(api, txId)) };
      }),
    );
    const txIds = sent.map(({ txId }) => txId);
    const blockHashes = sent.map(({ blockHash }) => blockHash);
    const addresses = funded.map(({ address }) => address);
    reads = new ReadMix({ baseUrl: () => cluster.baseUrl, addresses, txIds, blockHashes, walletName, everyMs: 700 });
    load.begin();
    reads.begin();
  });
  afterAll(async () => {
    reads?.close();
    await scenario?.remove();
  });

  /** Transfers that were acknowledged since the last call. */
  const acknowledged = (): number => {
    const before = last;
    last = scenario.load.acknowledged;
    return last - before;
  };

  /** Of senders of these groups to receivers of these groups. */
  const acknowledgedAmong = (among: readonly number[]): readonly string[] =>
    scenario.load.transactions
      .filter(({ from, to, acknowledged: is }) => is && among.includes(from) && among.includes(to))
      .map(({ txId }) => txId);

  /** A transfer from each group to the next one is confirmed, and all group-nodes are ready. Gives the milliseconds. */
  const untilAllTakePart = async (withinMs = patience(15_000)): Promise<number> => {
    const { api, funded, cluster } = scenario;
    const began = performance.now();
    const left = (): number => withinMs - (performance.now() - began);
    await Promise.all(
      groups.map(async (group) => {
        const address = funded[(group + 1) % groups.length]!.address;
        const txId = await waitFor(
          `group ${group} to take a transfer`,
          async () => (await transfer(api, funded[group]!, [{ address, attoCoinAmount: `${oneCoin}` }])).txId,
          { timeoutMs: left(), everyMs: 100 },
        );
        await waitFor(`the transfer of group ${group} to be confirmed`, () => confirmed(api, txId), {
          timeoutMs: left(),
        });
      }),
    );
    for (const process of cluster.processes) {
      await waitFor(`${process.name} to be ready`, async () => (await process.health()).ready, { timeoutMs: left() });
    }
    return performance.now() - began;
  };

  /** The end of each fault: everybody takes part again, nobody was wronged, nobody has ended; then a rest, and all agree. */
  const judge = async (what: string): Promise<void> => {
    const { load, cluster } = scenario;
    const during = acknowledged();
    const writesAfter = await untilAllTakePart();
    await load.rest();
    await reads.rest();
    const { afterMs, blocks } = await agreement(cluster, patience(15_000));
    process.stderr.write(
      `NATS, ${what}: ${during} transfers acknowledged meanwhile; all groups confirmed again after ` +
        `${writesAfter.toFixed(0)} ms, agreed after ${afterMs.toFixed(0)} ms more (${blocks} blocks); ${reads.describe()}\n`,
    );
    expect(load.defects).toEqual([]);
    reads.expectGood();
    expect(processNumbers(scenario)).toEqual(pids);
    reads.reset();
    acknowledged();
    load.begin();
    reads.begin();
  };

  for (const outage of outages) {
    it(
      `the server is gone for ${outage} ms: 503 in time, and all goes on by itself`,
      async () => {
        const { nats } = scenario.cluster.servers;
        acknowledged();
        await nats.kill9();
        await pause(outage);
        if (outage >= 5_000) {
          const said = [...reads.complaints.keys()].join('\n');
          for (const group of groups) expect(said).toContain(`group ${group}`);
        }
        await nats.start();
        await judge(`away for ${outage} ms`);
      },
      outage + 150_000,
    );
  }

  const requireCutOff = async (): Promise<void> => {
    const { api, funded } = scenario;
    const { status, text } = await api.send('GET', `/addresses/${funded[cutGroup]!.address}/balance`);
    expect([status, text]).toEqual([503, expect.stringContaining(`group ${cutGroup}`)]);
  };

  /** Among the others, since `before`: acknowledged, and confirmed while the group is cut off. */
  const othersGoOn = async (before: ReadonlySet<string>): Promise<number> => {
    const fresh = acknowledgedAmong(others).filter((txId) => !before.has(txId));
    expect(fresh.length).toBeGreaterThan(0);
    await Promise.all(fresh.map((txId) => confirmed(scenario.api, txId)));
    return fresh.length;
  };

  for (const how of ['cut', 'black hole'] as const) {
    it(
      `one group is cut off (${how}): requests for it name it, and the others go on`,
      async () => {
        const { cluster } = scenario;
        const proxy = cluster.proxy(cutName, 'nats');
        acknowledged();
        if (how === 'cut') proxy.cut();
        else proxy.blackhole();
        // What was under way may still be answered.
        await pause(300);
        const before = new Set(acknowledgedAmong(others));
        await requireCutOff();
        await pause(faultFor);
        await requireCutOff();
        const count = await othersGoOn(before);
        await proxy.heal();
        if (how === 'cut') scenario.requireHits('cut');
        await judge(`one group cut off (${how}), ${count} transfers among the others confirmed`);
      },
      faultFor + 180_000,
    );
  }

  it(
    'half a second of delay of all messages: slow, and nothing else',
    async () => {
      const { cluster } = scenario;
      acknowledged();
      for (const proxy of cluster.proxiesTo('nats')) proxy.delay(500);
      // One transfer has 16 of these delays.
      await pause(2 * faultFor);
      expect(scenario.load.acknowledged).toBeGreaterThan(last);
      await cluster.heal();
      scenario.requireHits('delayed');
      await judge('500 ms of delay');
    },
    2 * faultFor + 180_000,
  );

  it(
    '30 % of the messages lost at each proxy: what is lost is sent again, what is missing is asked for',
    async () => {
      const { cluster } = scenario;
      acknowledged();
      cluster.proxiesTo('nats').forEach((proxy, index) => proxy.lose(0.3, { seed: 1 + index }));
      await pause(2 * faultFor);
      await cluster.heal();
      scenario.requireHits('lost', 20);
      await judge('30 % loss');
    },
    2 * faultFor + 180_000,
  );

  it('leaves a sound network', async () => {
    await reads.rest();
    await scenario.load.rest();
    await scenario.finish();
  }, 180_000);
});
