import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { median } from '@shardnode/testing/statistics';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import {
  describeHarm,
  endTarget,
  harmOnce,
  planHarm,
  type Revival,
  reviveTarget,
  revivalTable,
  serverNames,
  type Target,
} from '../kit/cluster/harm.js';
import { untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { WalletSenders } from '../kit/cluster/wallet-senders.js';
import { ContractLoad } from '../kit/contracts/contract-load.js';
import { describeCluster } from '../kit/deployment.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';

const seed = Number(process.env['SEED'] ?? 1);
const random = seededRandom(seed);
const targets: readonly Target[] = [...groupNodeNames, 'wallet-service', 'gateway', 'gateway-2', ...serverNames];
const rounds = planHarm(targets, isLong ? 50 : 8, random);
/** Milliseconds: until all groups take and mine transfers again after a round; the longest time that something is away. */
const times = { writesGoOn: 30_000, away: 1_500 };

describeCluster(`every service and every server ends, one or two at once, under load (seed ${seed})`, () => {
  let scenario: Scenario;
  let contracts: ContractLoad;
  let wallets: WalletSenders;
  const revivals: Revival[] = [];
  const resumed: number[] = [];

  beforeAll(async () => {
    scenario = await openScenario('survival', {
      secondGateway: true,
      load: { sendersPerGroup: 2, seed, everyMs: 250, gatewaysMayBreak: true },
    });
    const { api, second, funded, load } = scenario;
    const apis = [api, second!];
    wallets = await WalletSenders.prepare(apis, funded, load, { wallets: 2, everyMs: 500, mayBreak: true });
    contracts = await ContractLoad.prepare(apis, funded, load, { sendersPerGroup: 1, seed, everyMs: 100 });
    load.begin();
    wallets.begin();
    contracts.begin();
    await waitFor('the load to run', () => load.acknowledged > 20 && contracts.steps > 5, { timeoutMs: 60_000 });
  });
  afterAll(() => scenario?.remove());

  const expectWritesGoOn = async (): Promise<void> => {
    resumed.push(await untilWritesGoOn(scenario, patience(times.writesGoOn)));
    const before = contracts.acknowledged;
    await waitFor('script transactions', () => contracts.acknowledged > before, { timeoutMs: 60_000 });
    expect(scenario.load.defects).toEqual([]);
  };

  it.each(rounds.map((round, index) => ({ title: `round ${index + 1}: ${describeHarm(round)}`, round })))(
    '$title',
    async ({ round, title }) => {
      const revived = await harmOnce(scenario.cluster, round, random() * times.away);
      revivals.push(...revived);
      await expectWritesGoOn();
      const ready = revived.map(({ target, readyMs }) => `${target} ready after ${readyMs.toFixed(0)} ms`).join(', ');
      process.stderr.write(`${title}: ${ready}; all write again ${resumed.at(-1)!.toFixed(0)} ms later\n`);
    },
  );

  it('the whole cluster is killed at once, servers and all, and comes back from its disks', async () => {
    const { cluster } = scenario;
    await Promise.all(targets.map((target) => endTarget(cluster, target, 'kill -9')));
    const began = performance.now();
    // All at once, as a machine does that was switched on again: services wait for their servers.
    await Promise.all(targets.map((target) => reviveTarget(cluster, target)));
    const ready = performance.now() - began;
    await expectWritesGoOn();
    const writes = resumed.at(-1)!.toFixed(0);
    process.stderr.write(`the whole cluster: ready after ${ready.toFixed(0)} ms, all write again ${writes} ms later\n`);
  });

  it('nothing acknowledged is lost, nothing is there twice, and all agree', async () => {
    const { load } = scenario;
    await Promise.all([wallets.rest(), contracts.rest()]);
    await wallets.expectKept();
    await scenario.finish({ agreeWithinMs: patience(15_000) });
    const acknowledged = load.transactions.filter((transaction) => transaction.acknowledged);
    const lost = acknowledged.filter(({ blockHash, reason }) => blockHash === undefined && reason === undefined);
    const confirmed = acknowledged.filter(({ blockHash }) => blockHash !== undefined);
    const [middle, slowest] = [median(resumed), Math.max(...resumed)].map((number) => number.toFixed(0));
    process.stderr.write(
      `${rounds.length} rounds and a restart of everything: ${acknowledged.length} transactions acknowledged, ` +
        `${confirmed.length} confirmed, ${lost.length} lost; all groups wrote again after ${middle} ms (median), ` +
        `${slowest} ms at most\n${contracts.describe()}${revivalTable(revivals)}`,
    );
    expect(lost).toEqual([]);
    expect(confirmed.length).toBeGreaterThan(100);
  }, 300_000);
});
