import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import pg from 'pg';
import { groupSubject, peerSubject } from '@shardnode/messages';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type OutputRef } from '../kit/api-forms.js';
import { joinRaw, framed } from '../kit/cluster/raw-bus.js';
import { type ProcessName } from '../kit/cluster/cluster-process.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { SmallDisk } from '../kit/cluster/small-disk.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { patience } from '../kit/patience.js';
import { alertRules, type Prometheus, prometheusProgram, startPrometheus } from '../kit/prometheus.js';
import { statusOf } from '../kit/status-of.js';
import { build, fundingTransfer, oneCoin, outputsOf, signOffline } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

const program = prometheusProgram();
const adminToken = 'token-of-operators'.repeat(2);

/** A fault, the alerts that it must fire, and those that may come with it. */
interface Case {
  readonly title: string;
  readonly fires: readonly string[];
  /** What follows from the same fault, sooner or later: `*` stands for any service. */
  readonly mayFollow?: readonly string[];
  /** Gives what ends the fault. */
  readonly harm: () => Promise<() => Promise<void> | void>;
}

describeCluster('alerts', () => {
  if (program === undefined) {
    it.skip('need Prometheus', () => undefined);
    return;
  }
  let scenario: Scenario;
  let prometheus: Prometheus;
  const seen = new Set<string>();

  beforeAll(async () => {
    scenario = await openScenario('alerts', { explorers: true, load: { sendersPerGroup: 1, everyMs: 250 } });
    const { cluster } = scenario;
    await cluster.process('explorer').start({ ADMIN_TOKEN: adminToken });
    const watched = cluster.processes.filter(({ name }) => name !== 'explorer-2');
    const places = watched.map(({ name, url }) => [name, new URL(url).host] as const);
    prometheus = await startPrometheus(program, new Map(places));
    scenario.load.begin();
  });
  afterAll(async () => {
    await prometheus?.stop();
    await scenario?.remove();
  });

  /** Asks all the time until it is told to stop; what comes back does not matter. */
  const asking = (ask: () => Promise<unknown>, everyMs: number): (() => Promise<void>) => {
    let isOver = false;
    const run = async (): Promise<void> => {
      while (!isOver) {
        await Promise.all([ask().catch(() => undefined), pause(everyMs)]);
      }
    };
    const running = run();
    return async () => {
      isOver = true;
      await running;
    };
  };

  const restarted = async (name: ProcessName, settings: Record<string, string>): Promise<() => Promise<void>> => {
    const process = scenario.cluster.process(name);
    await process.restart(settings);
    return async () => {
      await process.restart();
    };
  };

  /** Mined outputs of group 3: only transactions without unmined ancestors get the last quarter of a pool. */
  const splitOutputs = async (count: number): Promise<readonly OutputRef[]> => {
    const { address } = scenario.funded[3]!;
    const destinations = Array.from({ length: count }, () => ({ address, attoCoinAmount: `${2n * oneCoin}` }));
    const { unsignedTx } = await fundingTransfer(scenario.api, scenario.funded[3]!, destinations);
    return outputsOf(unsignedTx)
      .slice(0, count)
      .map(({ reference }) => reference);
  };
  /** Transfers of group 3 that nobody mines. */
  const fillPool = async (outputs: readonly OutputRef[]): Promise<void> => {
    const { api } = scenario;
    for (const [number, output] of outputs.entries()) {
      const to = { address: testKeyOfGroup(3, 40 + number).address, attoCoinAmount: `${oneCoin}` };
      const built = await build(api, scenario.funded[3]!, [to], [output]);
      const body = { unsignedTx: built.unsignedTx, signature: signOffline(built, scenario.funded[3]!) };
      await api.send('POST', '/transactions/submit', { body });
    }
  };

  /** A session in the explorer's database, which the fault closes. */
  const inIndex = async (...statements: readonly string[]): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: scenario.cluster.databaseUrl('explorer') });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    return client;
  };

  const { cut, hang } = {
    /** No connection any more. */
    cut: (name: ProcessName, server: 'nats' | 'redis') => scenario.cluster.proxy(name, server).cut(),
    /** Connections stay, and nothing arrives. */
    hang: (name: ProcessName) => scenario.cluster.proxy(name, 'postgres').blackhole(),
  };

  /** On a busy machine it is short of processor time, and its first readers wait for their connections. */
  const whileItStarts = (service: string): string[] => ['EventLoopSlow *', `DatabasePoolExhausted ${service}`];

  const fullDisk: Case = {
    title: 'a disk that is nearly full',
    fires: ['DiskNearlyFull group-node-0'],
    // It is started anew with that disk.
    mayFollow: [
      ...whileItStarts('group-node-0'),
      'ServiceDown group-node-0',
      'GroupNotReady group-node-0',
      'GroupBehindSiblings group-node-0',
      'ManyErrors gateway',
    ],
    harm: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'shardnode-alerts-'));
      const disk = SmallDisk.mount(join(folder, 'disk'), 20)!;
      const heal = await restarted('group-node-0', { DISK_FOLDER: disk.folder });
      disk.fill();
      return async () => {
        disk.unmount();
        await heal();
        rmSync(folder, { recursive: true, force: true });
      };
    },
  };

  /** Adds to a balance of the explorer's index, whose process goes on; then it is checked. */
  const addToBalance = async (amount: number): Promise<void> => {
    const { cluster } = scenario;
    const host = openDatabaseServer({
      url: cluster.databaseUrl('explorer'),
      applicationName: 'e2e',
      logger: silentLogger,
    });
    await host
      .service('explorer')
      .script(`UPDATE explorer.addresses SET balance = balance + ${amount} WHERE address_id = 1`)
      .finally(() => host.close());
    const check = (): Promise<number> =>
      statusOf(`${cluster.process('explorer').url}/utils/sanity-check`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${adminToken}` },
      });
    await waitFor('the check to start', async () => (await check()) === 202, { timeoutMs: patience(30_000) });
  };

  const cases: readonly Case[] = [
    {
      title: 'an index with a balance that is not the sum of its outputs',
      fires: ['IndexInconsistent explorer'],
      // All processes have just begun, and the explorer is reading the chains.
      mayFollow: ['EventLoopSlow *'],
      harm: async () => {
        await addToBalance(1);
        return () => addToBalance(-1);
      },
    },
    {
      title: 'a killed service, and a group that mines nothing',
      fires: ['ServiceDown wallet-service', 'NoNewBlocks group-node-3', 'MempoolNearlyFull group-node-3'],
      mayFollow: [...whileItStarts('group-node-3'), 'ServiceDown group-node-3', 'ManyErrors gateway'],
      harm: async () => {
        const wallets = scenario.cluster.process('wallet-service');
        const outputs = await splitOutputs(10);
        const mine = await restarted('group-node-3', { MINING: 'off', MEMPOOL_CAPACITY: '10' });
        await wallets.kill9();
        await fillPool(outputs);
        return async () => {
          await Promise.all([mine(), wallets.start()]);
        };
      },
    },
    {
      title: 'a clock that is ten minutes ahead',
      fires: ['ClockOff group-node-1', 'GroupNotReady group-node-1', 'NoNewBlocks group-node-1'],
      mayFollow: ['ManyErrors gateway'],
      harm: async () => {
        scenario.cluster.setClockOffset('group-node-1', 600_000);
        return () => scenario.cluster.setClockOffset('group-node-1', 0);
      },
    },
    {
      title: 'databases that hang',
      fires: [
        'DatabaseAway group-node-2',
        'GroupBehindSiblings group-node-2',
        'ManyErrors gateway',
        'DatabasePoolExhausted wallet-service',
      ],
      mayFollow: [
        'GroupNotReady group-node-2',
        'NoNewBlocks group-node-2',
        'DatabasePoolExhausted group-node-2',
        'DatabaseAway wallet-service',
        'ExplorerBehind explorer',
      ],
      harm: async () => {
        hang('group-node-2');
        hang('wallet-service');
        const { api } = scenario;
        const reads = Array.from({ length: 24 }, () =>
          asking(() => api.send('GET', '/wallets', { timeoutMs: 5_000 }), 50),
        );
        return async () => {
          await scenario.cluster.heal();
          await Promise.all(reads.map((end) => end()));
        };
      },
    },
    {
      title: 'servers that are away',
      fires: ['BusDisconnected group-node-3', 'CacheAway gateway'],
      mayFollow: [
        'GroupNotReady group-node-3',
        'NoNewBlocks group-node-3',
        'ManyErrors gateway',
        'GroupBehindSiblings group-node-3',
      ],
      harm: async () => {
        cut('group-node-3', 'nats');
        cut('gateway', 'redis');
        return () => scenario.cluster.heal();
      },
    },
    {
      title: 'a block that the supply audit has found',
      fires: ['SupplyAuditFailed explorer'],
      harm: async () => {
        const client = await inIndex(`INSERT INTO explorer.audit_findings
          (block_hash, rule, chain_from, chain_to, found_at, detail) VALUES ('\\x00', 'BlockWithoutOwner', 0, 1, 0, 'test')`);
        return async () => {
          await client.query('DELETE FROM explorer.audit_findings');
          await client.end();
        };
      },
    },
    {
      title: 'an explorer whose tables are locked',
      fires: ['ExplorerBehind explorer'],
      mayFollow: ['ExplorerNotWriting explorer', 'DatabaseAway explorer'],
      harm: async () => {
        const client = await inIndex('BEGIN', 'LOCK TABLE explorer.blocks IN EXCLUSIVE MODE');
        return () => client.end();
      },
    },
    {
      title: 'an explorer whose database refuses blocks',
      fires: ['ExplorerApplyErrors explorer', 'ExplorerChainStopped explorer'],
      mayFollow: [...whileItStarts('explorer'), 'ExplorerBehind explorer', 'ServiceDown explorer'],
      harm: async () => {
        const client = await inIndex('ALTER TABLE explorer.blocks ADD CONSTRAINT refused CHECK (false) NOT VALID');
        return async () => {
          await client.query('ALTER TABLE explorer.blocks DROP CONSTRAINT refused');
          await client.end();
          await scenario.cluster.process('explorer').restart();
        };
      },
    },
    {
      title: 'an explorer that stands by for another one',
      fires: ['ExplorerNotWriting explorer'],
      mayFollow: [...whileItStarts('explorer'), 'ServiceDown explorer'],
      harm: async () => {
        const { cluster } = scenario;
        await cluster.process('explorer').stop();
        await cluster.process('explorer-2').start();
        await cluster.process('explorer').start();
        return async () => {
          await cluster.process('explorer-2').stop();
        };
      },
    },
    ...(SmallDisk.isPermitted() ? [fullDisk] : []),
    {
      title: 'a group-node that is taken over, and builds what a wallet did not ask for',
      fires: ['BuiltTransactionRefused wallet-service'],
      // The group-node itself stands still, so that it does not answer first.
      mayFollow: [
        'ServiceDown group-node-2',
        'GroupNotReady *',
        'GroupBehindSiblings *',
        'NoNewBlocks *',
        'EventLoopSlow group-node-2',
        'ManyErrors gateway',
      ],
      harm: async () => {
        const { api, cluster } = scenario;
        const walletName = 'robbed';
        await api.post('/wallets', { walletName, password: 'correct horse' });
        await api.post(`/wallets/${walletName}/derive-next-address?group=2`);
        const node = cluster.process('group-node-2');
        await node.freeze();
        const bus = await joinRaw(cluster, 'group-node-2');
        const { ns } = cluster.busAccess();
        const built = { unsignedTx: Uint8Array.of(1, 2, 3), txId: '00'.repeat(32), gasAmount: 20_000, gasPrice: '1' };
        bus.serve(
          groupSubject(ns, 2, 'read.building.transfer'),
          'wallet-service',
          framed(bus.user, { ...built, fromGroup: 2, toGroup: 2 })!,
        );
        await bus.flush();
        const destinations = [{ address: testKeyOfGroup(2).address, amount: `${oneCoin}` }];
        const path = `/wallets/${walletName}/transfer`;
        const stop = asking(() => api.send('POST', path, { body: { destinations }, timeoutMs: 5_000 }), 500);
        return async () => {
          await stop();
          await bus.close();
          node.thaw();
          await api.delete(`/wallets/${walletName}`, { password: 'correct horse' }).catch(() => undefined);
        };
      },
    },
    {
      title: 'a process without processor time, and messages that make no sense',
      fires: ['EventLoopSlow wallet-service', 'BlocksRefused group-node-0', 'MessagesRefused group-node-0'],
      // Who asks the wallet-service meanwhile may have no answer.
      mayFollow: ['ManyErrors gateway'],
      harm: async () => {
        const wallets = scenario.cluster.process('wallet-service');
        const stopAndGo = asking(async () => {
          await wallets.freeze();
          await pause(90);
          wallets.thaw();
        }, 160);
        const bus = await joinRaw(scenario.cluster, 'group-node-2');
        const { ns } = scenario.cluster.busAccess();
        const subject = peerSubject(ns, { event: 'peer.block', from: 2, to: 0 });
        bus.publish(subject, framed(bus.user, { from: 2, to: 0, block: Uint8Array.of(1, 2, 3) })!);
        bus.publish(subject, { data: Uint8Array.of(0xff), headers: 'X-Sender: group-node-2\r\n' });
        await bus.flush();
        return async () => {
          await stopAndGo();
          wallets.thaw();
          await bus.close();
        };
      },
    },
  ];

  /** Other tests use the processors, too, and 5 minutes without a block are 5 s here. */
  const ofBusyMachine = ['EventLoopSlow *', 'ExplorerBehind *', 'NoNewBlocks *'];
  const isExpected = ({ fires, mayFollow = [] }: Case, alert: string): boolean =>
    [...fires, ...mayFollow, ...ofBusyMachine].some((one) => one === alert || one === `${alert.split(' ')[0]} *`);

  it.each(cases)('$title', async (fault) => {
    await waitFor('nothing to fire', async () => (await prometheus.firing()).length === 0, {
      timeoutMs: patience(30_000),
      everyMs: 100,
    });
    const began = performance.now();
    const heal = await fault.harm();
    // Those of a moment are over before those that want a while begin.
    const fired = new Set<string>();
    try {
      await waitFor(
        `${fault.fires.join(', ')} to fire`,
        async () => {
          for (const alert of await prometheus.firing()) fired.add(alert);
          return fault.fires.every((alert) => fired.has(alert));
        },
        { timeoutMs: patience(30_000), everyMs: 100 },
      );
    } catch (error) {
      throw new Error(`${(error as Error).message}; fired: ${[...fired].join(', ')}`, { cause: error });
    } finally {
      await heal();
    }
    for (const alert of fault.fires) seen.add(alert.split(' ')[0]!);
    expect([...fired].filter((alert) => !isExpected(fault, alert))).toEqual([]);
    const healed = performance.now();
    await waitFor('the alerts to resolve', async () => (await prometheus.firing()).length === 0, {
      timeoutMs: patience(30_000),
      everyMs: 100,
    });
    const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);
    const times = `fired and healed after ${seconds(began, healed)} s, gone ${seconds(healed, performance.now())} s later`;
    process.stderr.write(`${fault.fires.join(', ')}: ${times}\n`);
  });

  it('every rule was fired by a fault', () => {
    const notHere = SmallDisk.isPermitted() ? [] : ['DiskNearlyFull'];
    const rules = alertRules().map(({ alert }) => alert);
    expect([...seen].sort()).toEqual(rules.filter((alert) => !notHere.includes(alert)).sort());
  });
});
