import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type BusNetwork, openNatsNetwork } from '@shardnode/core/bus';
import { type Database, type DatabaseHost, openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { type GroupClient, groupClient } from '@shardnode/messages';
import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { until } from '@shardnode/testing/waiting';
import { openEmbedded } from '../../apps/explorer/test/support/databases.js';
import { differences } from '../../apps/explorer/test/trees/snapshot.js';
import { storedIndex } from '../../apps/explorer/test/trees/stored-index.js';
import { type ClusterProcess } from '../kit/cluster/cluster-process.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { ConfirmationTimes } from '../kit/explorer/confirmation-times.js';
import {
  type Deposit,
  depositKeys,
  DepositReader,
  depositsOf,
  destinationOf,
  paymentsTo,
  sorted,
} from '../kit/explorer/deposits.js';
import { type SyncForm, TestExplorer } from '../kit/explorer/embedded-explorer.js';
import { untilHeadsEqual } from '../kit/explorer/same-as-nodes.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { statusOf } from '../kit/status-of.js';
import { confirmed, fundingTransfer, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

const seed = Number(process.env['SEED'] ?? 1);
const kills = isLong ? 20 : 3;
/** Blocks of all chains before the explorer starts for the first time. */
const history = isLong ? 5_000 : 300;
/** Addresses of an exchange, whose deposits and balances are compared with what was sent and with the nodes. */
const addresses = isLong ? 1_000 : 200;
const transfers = 10;

describeCluster(`An explorer beside a cluster (seed ${seed})`, () => {
  const random = seededRandom(seed);
  let scenario: Scenario;
  let first: ClusterProcess;
  let second: ClusterProcess;
  let bus: BusNetwork;
  let client: GroupClient;
  let host: DatabaseHost;
  let index: Database;

  const syncOf = async ({ url }: ClusterProcess): Promise<SyncForm> =>
    (await (await fetch(`${url}/infos/sync`)).json()) as SyncForm;
  const untilSynced = (process: ClusterProcess): Promise<unknown> =>
    waitFor('the explorer to be synced', async () => (await syncOf(process)).synced, {
      timeoutMs: patience(60_000),
      everyMs: 100,
    });
  const blocksOfNodes = async (): Promise<number> => {
    let blocks = 0;
    for (let group = 0; group < client.groups; group++) {
      const { heads } = await client.request(group, 'read.chain.heads', {});
      for (const { height } of heads) blocks += height;
    }
    return blocks;
  };
  const blocksOfIndex = async (): Promise<number> => {
    const rows = await index
      .query<{ blocks: number }>(
        'blocks-of-test',
        'SELECT coalesce(sum(height), 0)::int AS blocks FROM explorer.chain_heads',
      )
      .catch(() => []);
    return rows[0]?.blocks ?? 0;
  };
  /** It begins to index when it takes requests. */
  const startsWithLock = (): number => first.log().split('started: it takes requests').length - 1;
  const untilIndexGrows = async (): Promise<void> => {
    const before = await blocksOfIndex();
    await waitFor('the index to grow', async () => (await blocksOfIndex()) > before, { timeoutMs: patience(60_000) });
  };

  beforeAll(async () => {
    scenario = await openScenario('explorer', {
      explorers: true,
      postgres: { fsync: 'off' },
      load: { sendersPerGroup: 1, everyMs: 400 },
      // When the load rests no more blocks are made.
      settings: { MINING_HEARTBEAT: '0' },
    });
    const { cluster, load } = scenario;
    [first, second] = [cluster.process('explorer'), cluster.process('explorer-2')];
    const access = cluster.busAccess();
    bus = openNatsNetwork({ ...access, logger: silentLogger });
    const joined = await bus.join({ sender: { service: 'explorer' }, logger: silentLogger });
    client = groupClient(joined.bus, { ns: access.ns, groups: 4 });
    host = openDatabaseServer({ url: cluster.databaseUrl('explorer'), applicationName: 'e2e', logger: silentLogger });
    index = host.service('explorer');
    load.begin();
    await waitFor('a history', async () => (await blocksOfNodes()) >= history, { timeoutMs: 300_000, everyMs: 200 });
  });
  afterAll(async () => {
    await host?.close();
    await bus?.close();
    await scenario?.remove();
  });

  it(`goes on after ${kills} kills at random moments of its first sync`, async () => {
    for (let kill = 0; kill < kills; kill++) {
      first.begin();
      await waitFor('it to have the lock', () => startsWithLock() > kill, { timeoutMs: patience(60_000) });
      await pause(random() * 600);
      await first.kill9();
    }
    await first.start();
    await untilSynced(first);
  });

  it(`goes on after ${kills} kills at random moments while it is live`, async () => {
    for (let kill = 0; kill < kills; kill++) {
      await untilIndexGrows();
      await pause(random() * 300);
      await first.kill9();
      await first.start();
    }
    await untilSynced(first);
  });

  it('has one writer: a second process is on standby, serves, and takes over', async () => {
    await second.start();
    await waitFor('the second to be on standby', () => second.log().includes('standby'));
    await untilSynced(second);
    expect(await statusOf(`${second.url}/blocks?limit=1`)).toBe(200);
    await first.kill9();
    await untilIndexGrows();
    await untilSynced(second);
  });

  it('goes on when its database and its bus were away', async () => {
    const { cluster } = scenario;
    cluster.proxy('explorer-2', 'postgres').cut();
    await pause(1_000);
    await cluster.heal();
    await untilIndexGrows();
    cluster.proxy('explorer-2', 'nats').cut();
    await pause(1_000);
    await cluster.heal();
    await untilIndexGrows();
  });

  it('finds the deposits of an exchange, and sees the balances of the nodes', async () => {
    const { api, load, funded } = scenario;
    await load.rest();
    const keys = depositKeys(addresses);
    const booked: Deposit[] = [];
    for (const payment of paymentsTo(keys, groups.length, seed)) {
      const { txId } = await fundingTransfer(api, funded[0]!, payment.to.map(destinationOf));
      booked.push(...depositsOf(payment, txId));
    }
    await untilHeadsEqual(index, client, patience(60_000));
    const texts = keys.map(({ address }) => address);
    const reader = new DepositReader(second.url, texts);
    expect(sorted(await reader.byTime(1_600_000_000_000, 4_000_000_000_000))).toEqual(sorted(booked));
    expect(sorted(await reader.byCursor(1))).toEqual(sorted(booked));
    const balances = await mapBounded(texts, 8, async (address) => {
      const path = `/addresses/${address}/balance`;
      const ofExplorer = (await (await fetch(`${second.url}${path}`)).json()) as { readonly balance: string };
      const ofNodes = await api.get<{ balance: string }>(`${path}?mempool=false`);
      return { address, explorer: ofExplorer.balance, node: ofNodes.balance };
    });
    expect(balances.filter(({ explorer, node }) => explorer !== node)).toEqual([]);
    expect(balances.every(({ node }) => BigInt(node) > 0n)).toBe(true);
  });

  it('shows a transfer at once, and confirmed after its block', async () => {
    const { api, funded } = scenario;
    const times = new ConfirmationTimes(second.url);
    for (let i = 0; i < transfers; i++) {
      const { address } = funded[i % groups.length]!;
      const { txId } = await transfer(api, funded[0]!, [{ address, attoCoinAmount: oneCoin.toString() }]);
      await times.untilShown(txId);
      await confirmed(api, txId);
      await times.untilConfirmed(txId);
    }
    process.stderr.write(`explorer over processes: ${times.describe()}\n`);
  });

  it('ends with the heads of the nodes, as an index that is built afresh', async () => {
    const { api, load } = scenario;
    // A block that came between the two looks at the chains would be a difference.
    await api.post('/miners/cpu-mining?action=stop-mining');
    await untilHeadsEqual(index, client, patience(60_000));
    const sync = await syncOf(second);
    expect(sync).toMatchObject({ synced: true, phase: 'live', unresolvedInputs: 0, conflictInputs: 0 });

    const fresh = await openEmbedded();
    const other = await TestExplorer.start({ bus, database: fresh.database, ns: scenario.cluster.busAccess().ns });
    await untilHeadsEqual(fresh.database, client, patience(60_000));
    // Blocks that were on their way when mining stopped may still come: both indexes follow until they agree.
    const difference = async (): Promise<string[]> =>
      differences(await storedIndex(index), await storedIndex(fresh.database));
    const areEqual = async (): Promise<boolean> => (await difference()).length === 0;
    await until('both indexes agree', areEqual, patience(30_000)).catch(() => undefined);
    expect(await difference()).toEqual([]);
    await other.stop();
    await second.stop();
    await fresh.close();
    process.stderr.write(`explorer: ${await blocksOfIndex()} blocks, ${load.acknowledged} transfers\n`);
    await scenario.finish();
  });
});
