import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { percentile } from '@shardnode/testing/statistics';
import { describeCluster } from '../kit/deployment-under-test.js';
import { agreement } from '../kit/cluster/node-views.js';
import { ReadMix } from '../kit/cluster/read-mix.js';
import { processNumbers } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { timedTransfers } from '../kit/cluster/timed-transfers.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

const frozen = 3;
const others = [0, 1, 2] as const;
const frozenName = `group-node-${frozen}` as const;
const sendersPerGroup = 2;
/** Milliseconds. */
const frozenFor = isLong ? 30_000 : 6_000;
/** Between two transfers of a sender. */
const everyMs = 400;
/** Of the bar: 1.5 times normal, and what a single unlucky moment of a small machine may cost. */
const allowance = { factor: 1.5, milliseconds: 30 };
const attempts = 3;

interface Figures {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
}

const figuresOf = (durations: readonly number[]): Figures => ({
  count: durations.length,
  median: percentile(durations, 50),
  p99: percentile(durations, 99),
});

const textOf = ({ count, median, p99 }: Figures): string =>
  `${count} transfers, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

/** One group-node does nothing for a while and does not know it (SIGSTOP). */
describeCluster('a frozen group', () => {
  let scenario: Scenario;
  let reads: ReadMix;
  let senders: readonly TestKey[];
  let pids: readonly string[];
  beforeAll(async () => {
    scenario = await openScenario('a frozen group', { load: { among: others, sendersPerGroup } });
    const { api, funded, load, cluster } = scenario;
    pids = processNumbers(scenario);
    const byGroup = others.map((group) => testKeysOfGroup(group, 100 + sendersPerGroup).slice(100));
    // Group after group: most transfers go from one to another.
    senders = Array.from({ length: sendersPerGroup }, (_, index) => byGroup.map((keys) => keys[index]!)).flat();
    const { txId } = await transfer(api, funded[0]!, [{ address: senders[1]!.address, attoCoinAmount: `${oneCoin}` }]);
    const { blockHash } = await confirmed(api, txId);
    const addresses = funded.map(({ address }) => address);
    reads = new ReadMix({
      baseUrl: () => cluster.baseUrl,
      addresses,
      txIds: [txId],
      blockHashes: [blockHash],
      everyMs: 1_000,
    });
    await timedTransfers({ api, keys: senders, everyMs: 100, forMs: 1_500, load });
    expect(cluster.process(frozenName).isRunning).toBe(true);
  });
  afterAll(async () => {
    reads?.close();
    if (scenario?.cluster.process(frozenName).isRunning) scenario.cluster.process(frozenName).thaw();
    await scenario?.remove();
  });

  const window = async (): Promise<Figures> => {
    const { api, load } = scenario;
    reads.begin();
    const durations = await timedTransfers({ api, keys: senders, everyMs, forMs: frozenFor, load });
    await reads.rest();
    reads.expectGood();
    return figuresOf(durations);
  };

  /** Milliseconds from the end of the frost until the group has what the others have, and admits and mines again. */
  const catchUp = async (): Promise<number> => {
    const { cluster, api, funded } = scenario;
    const began = performance.now();
    cluster.process(frozenName).thaw();
    await agreement(cluster, patience(10_000));
    await waitFor(
      'the group to be ready',
      async () => {
        const { ready, reasons } = await cluster.process(frozenName).health();
        if (!ready) throw new Error(reasons.join('; '));
        return true;
      },
      { timeoutMs: patience(10_000) },
    );
    const took = performance.now() - began;
    const destination = { address: funded[0]!.address, attoCoinAmount: `${oneCoin}` };
    const { txId } = await transfer(api, funded[frozen]!, [destination]);
    await confirmed(api, txId);
    return took;
  };

  it(
    'costs the other groups nothing, and catches up by itself',
    async () => {
      const { cluster } = scenario;
      const problems: string[] = [];
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const normal = await window();
        await cluster.process(frozenName).freeze();
        const during = await window();
        const caughtUpAfter = await catchUp();
        process.stderr.write(
          `a frozen group, attempt ${attempt}: normal ${textOf(normal)}; frozen for ${frozenFor} ms ${textOf(during)}; ` +
            `caught up after ${caughtUpAfter.toFixed(0)} ms; ${reads.describe()}\n`,
        );
        expect(during.count).toBeGreaterThan(0);
        expect(caughtUpAfter).toBeLessThan(patience(10_000));
        const bar = normal.p99 * allowance.factor + allowance.milliseconds;
        if (during.p99 <= bar) return;
        problems.push(`p99 ${during.p99.toFixed(1)} ms, at most ${bar.toFixed(1)} ms expected`);
      }
      throw new Error(`in ${attempts} attempts: ${problems.join('; ')}`);
    },
    attempts * (2 * frozenFor + 60_000),
  );

  it('takes what was sent to it meanwhile, and nobody waits long for an answer', async () => {
    const { cluster, api, funded, load } = scenario;
    await cluster.process(frozenName).freeze();
    reads.begin();
    const destination = { address: funded[frozen]!.address, attoCoinAmount: `${oneCoin}` };
    // Mined on a chain of the sender's group: acknowledged without the receiver's.
    const { txId } = await transfer(api, funded[0]!, [destination]);
    const status = await api.send('GET', `/transactions/status?txId=${txId}`);
    expect([200, 503]).toContain(status.status);
    if (status.status === 503) expect(status.text).toContain(`group ${frozen}`);
    const fromFrozen = await api.send('POST', '/transactions/build', {
      body: {
        fromPublicKey: Buffer.from(funded[frozen]!.publicKey).toString('hex'),
        destinations: [{ address: funded[0]!.address, attoCoinAmount: `${oneCoin}` }],
      },
    });
    expect(fromFrozen).toMatchObject({ status: 503, text: expect.stringContaining(`group ${frozen}`) });
    await pause(500);
    await reads.rest();
    reads.expectGood();
    expect(Math.max(...reads.answers.keys())).toBe(503);
    cluster.process(frozenName).thaw();
    await agreement(cluster, patience(10_000));
    await confirmed(api, txId);
    expect(load.defects).toEqual([]);
  });

  it('leaves a sound network', async () => {
    expect(processNumbers(scenario)).toEqual(pids);
    await scenario.finish();
  });
});
