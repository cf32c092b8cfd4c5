import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { median } from '@shardnode/testing/statistics';
import { chains, groups } from '../kit/chains.js';
import { groupNodeNames, type ProcessName } from '../kit/cluster/cluster-process.js';
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
import {
  describeRound,
  Killer,
  planRounds,
  recoveryOf,
  recoveryTable,
  type RecoveryTime,
} from '../kit/cluster/killer.js';
import { killAtStatement } from '../kit/cluster/kill-at-statement.js';
import { type NodeViews, openNodeViews } from '../kit/cluster/node-views.js';
import { type CutSide, type SeenStatement } from '../kit/cluster/postgres-taps.js';
import { PublishedHistory } from '../kit/cluster/published-history.js';
import { untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { WalletSenders } from '../kit/cluster/wallet-senders.js';
import { ContractLoad } from '../kit/contracts/contract-load.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';

const seed = Number(process.env['SEED'] ?? 1);
const random = seededRandom(seed);
/** The first three are of all kinds. */
const processes: readonly ProcessName[] = [
  'group-node-0',
  'wallet-service',
  'gateway',
  'group-node-3',
  'gateway-2',
  'group-node-1',
  'group-node-2',
];
const targets: readonly Target[] = [...groupNodeNames, 'wallet-service', 'gateway', 'gateway-2', ...serverNames];
/** Three kills each. One process is down at a time: its recovery is measured. */
const kills = planRounds(processes, isLong ? 42 : 3, random);
/** Several processes are down at the same time, in any state. */
const killsTogether = planRounds(processes, isLong ? 28 : 2, random);
/** Kills and orderly ends, of servers too. */
const harms = planHarm(targets, isLong ? 50 : 8, random);
/**
 * Milliseconds: from the start of a process that was killed until it is ready (issue: 5 s); until all groups take and mine
 * transfers again after a harm; the longest time that something is away.
 */
const times = { recovery: 5_000, writesGoOn: 30_000, away: 1_500 };
/** What must have been done with contracts by the end. */
const wanted = ['change of fields', 'deposit', 'migration', 'sub-contract', 'creation and destruction', 'race'];

const mnemonic = developmentMnemonic.join(' ');
const walletName = 'forgetful';
const forgotten = 'the old password';
const isNewPassword = ({ text }: SeenStatement): boolean => /^UPDATE .* SET "secret" = /.test(text);

describeCluster(
  `processes and servers end, one or several at once, under transfers and contracts (seed ${seed})`,
  () => {
    let scenario: Scenario;
    let contracts: ContractLoad;
    let wallets: WalletSenders;
    let views: NodeViews | undefined;
    let history: PublishedHistory;
    const killer = new Killer(random);
    /** Of the recoveries while everything else runs. */
    const recoveries: RecoveryTime[] = [];
    const revivals: Revival[] = [];
    const resumed: number[] = [];

    beforeAll(async () => {
      scenario = await openScenario('survival', {
        secondGateway: true,
        load: { sendersPerGroup: 2, seed, everyMs: 500, gatewaysMayBreak: true },
      });
      const { api, second, funded, load, cluster } = scenario;
      const apis = [api, second!];
      views = await openNodeViews(cluster);
      history = new PublishedHistory(views);
      wallets = await WalletSenders.prepare(apis, funded, load, { wallets: 2, everyMs: 300, mayBreak: true });
      contracts = await ContractLoad.prepare(apis, funded, load, { sendersPerGroup: 1, seed, everyMs: 100 });
      await api.put('/wallets', { password: forgotten, mnemonic, walletName });
      await api.post(`/wallets/${walletName}/derive-next-address?group=2`);
    });
    afterAll(async () => {
      await views?.close();
      await scenario?.remove();
    });

    const expectWritesGoOn = async (): Promise<void> => {
      resumed.push(await untilWritesGoOn(scenario, patience(times.writesGoOn)));
      const before = contracts.acknowledged;
      await waitFor('script transactions', () => contracts.acknowledged > before, { timeoutMs: 60_000 });
      expect(scenario.load.defects).toEqual([]);
    };

    it('a group-node whose data is lost dies after its genesis, starts again, and has everything', async () => {
      const { cluster } = scenario;
      const node = cluster.process('group-node-2');
      await history.follow();
      await node.kill9();
      const url = new URL(cluster.servers.postgres.url);
      url.pathname = '/shardnode_group_2';
      const client = new pg.Client({ connectionString: url.toString() });
      await client.connect();
      await client.query('DROP SCHEMA group_2 CASCADE');
      await client.end();
      node.begin({ CRASH_AT: 'after-genesis' });
      expect(await node.ended).toMatchObject({ signal: 'SIGKILL' });
      recoveries.push(recoveryOf(node, await node.start()));
      await history.expectKept([2], chains);
    });

    it('the load begins', async () => {
      scenario.load.begin();
      wallets.begin();
      contracts.begin();
      await waitFor('the load to run', () => scenario.load.acknowledged > 20 && contracts.steps > 5, {
        timeoutMs: 60_000,
      });
    });

    it.each(kills.map((round) => ({ title: describeRound(round), round })))('kill -9 of $title', async ({ round }) => {
      const { load, cluster } = scenario;
      const before = [load.acknowledged, contracts.acknowledged] as const;
      await killer.run(cluster.process(round.process), round);
      expect(load.acknowledged).toBeGreaterThan(before[0]);
      await waitFor('script transactions after the kills', () => contracts.acknowledged > before[1]);
      const fresh = killer.times.splice(0);
      recoveries.push(...fresh);
      await history.follow();
      // How far a run came that is ended before its end.
      const recovered = fresh.map(({ milliseconds }) => milliseconds.toFixed(0)).join(', ');
      process.stderr.write(`${killer.kills} kills, ${round.process} ready again after ${recovered} ms\n`);
    });

    it(`kill -9 of several at once: ${killsTogether.map(describeRound).join('; ')}`, async () => {
      const { cluster } = scenario;
      const left = [...killsTogether];
      const busy = new Set<ProcessName>();
      const lane = async (): Promise<void> => {
        for (;;) {
          const at = left.findIndex(({ process }) => !busy.has(process));
          if (at === -1) return;
          const [round] = left.splice(at, 1);
          busy.add(round!.process);
          await killer.run(cluster.process(round!.process), round!);
          busy.delete(round!.process);
        }
      };
      await Promise.all(Array.from({ length: isLong ? 4 : 2 }, lane));
      await cluster.ready();
      await history.follow();
      // One of them; the end of the scenario compares it with the others, block by block.
      await history.expectKept([0]);
      await views!.close();
      views = undefined;
    });

    it('each process that was killed alone was ready again within 5 s of its start', () => {
      const counts = [...killer.done].sort().map(([what, count]) => `${count} ${what}`);
      process.stderr.write(`${killer.kills} kills (${counts.join(', ')})\n${recoveryTable(recoveries)}`);
      expect(killer.kills).toBeGreaterThanOrEqual(isLong ? 200 : 15);
      expect(3 * killer.killsDuringRecovery).toBeGreaterThanOrEqual(killer.kills);
      expect(recoveries.filter(({ milliseconds }) => milliseconds > patience(times.recovery))).toEqual([]);
    });

    it.each<[CutSide, string, string, string]>([
      ['before', 'the database got it: the old password counts', forgotten, 'never stored'],
      ['after', 'it was stored and nobody was told: the new one counts', 'stored', forgotten],
    ])(
      'kill -9 of the wallet-service, which sets a forgotten password, %s %s',
      async (side, _what, counts, refused) => {
        const { api, cluster } = scenario;
        const service = cluster.process('wallet-service');
        const restore = (password: string) => api.put('/wallets', { password, mnemonic, walletName });
        const statusOfUnlock = async (password: string): Promise<number> =>
          (await api.send('POST', `/wallets/${walletName}/unlock`, { body: { password } })).status;
        const addresses = () => api.get(`/wallets/${walletName}/addresses`);
        // A kill before has locked it.
        expect(await statusOfUnlock(forgotten)).toBe(200);
        const before = await addresses();
        let lost: Promise<unknown> | undefined;
        await killAtStatement(cluster, service.name, { side, matching: isNewPassword }, () => {
          lost = restore(side === 'before' ? refused : counts).catch(() => undefined);
        });
        await lost;
        await service.start();
        expect(await statusOfUnlock(counts)).toBe(200);
        expect(await statusOfUnlock(refused)).toBe(401);
        expect(await addresses()).toEqual(before);
        await restore(forgotten);
        expect(await statusOfUnlock(forgotten)).toBe(200);
      },
    );

    it.each(harms.map((round, index) => ({ title: `harm ${index + 1}: ${describeHarm(round)}`, round })))(
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
      process.stderr.write(
        `the whole cluster: ready after ${ready.toFixed(0)} ms, all write again ${writes} ms later\n`,
      );
    });

    it('everything was done with contracts, in between', async () => {
      await waitFor('all kinds of steps', () => wanted.every((name) => contracts.counts.has(name)), {
        timeoutMs: 120_000,
      });
    });

    it('the wallets are there, and pay', async () => {
      await wallets.rest();
      await wallets.expectKept();
      const before = wallets.acknowledged;
      wallets.begin(2);
      await wallets.finished();
      expect(wallets.acknowledged).toBeGreaterThan(before);
    });

    it('nothing acknowledged is lost, nothing is there twice, contracts are what the blocks make, and all agree', async () => {
      const { load } = scenario;
      await contracts.rest();
      const { report } = await scenario.finish({ agreeWithinMs: patience(15_000) });
      const acknowledged = load.transactions.filter((transaction) => transaction.acknowledged);
      const lost = acknowledged.filter(({ blockHash, reason }) => blockHash === undefined && reason === undefined);
      const confirmed = acknowledged.filter(({ blockHash }) => blockHash !== undefined);
      const [middle, slowest] = [median(resumed), Math.max(...resumed)].map((number) => number.toFixed(0));
      process.stderr.write(
        `${harms.length} harms and a restart of everything: ${acknowledged.length} transactions acknowledged, ` +
          `${confirmed.length} confirmed, ${lost.length} lost; all groups wrote again after ${middle} ms (median), ` +
          `${slowest} ms at most\n${contracts.describe()}${revivalTable(revivals)}`,
      );
      expect([lost, load.defects]).toEqual([[], []]);
      expect(confirmed.length).toBeGreaterThan(100);
      expect(groups.flatMap((group) => report.contractsOf(group)).length).toBeGreaterThan(4 * groups.length);
    });
  },
);
