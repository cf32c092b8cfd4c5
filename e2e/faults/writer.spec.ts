import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@shardnode/core/servers';
import pg from 'pg';
import { type ClusterProcess } from '../kit/cluster/cluster-process.js';
import { processNumbers, untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { chainHeight } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

/** Milliseconds. A node waits 3,000 for another holder before it gives up: `held` has to be less. */
const times = { held: 1_500, writesGoOn: 10_000, secondStarter: 10_000 };
const losses = isLong ? 20 : 3;
const database = 'shardnode_group_0';

interface Lock {
  readonly session: number;
  readonly classId: string;
  readonly key: string;
}

describeCluster('One writer for each group', () => {
  let scenario: Scenario;
  let node: ClusterProcess;
  let administrator: pg.Client;
  const clients: pg.Client[] = [];

  /** A session of nobody whom the node knows. */
  const connect = async (applicationName: string): Promise<pg.Client> => {
    const url = new URL(scenario.cluster.servers.postgres.url);
    url.pathname = `/${database}`;
    url.searchParams.set('application_name', applicationName);
    const client = new pg.Client({ connectionString: url.toString() });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };

  const findLock = async (): Promise<Lock | undefined> => {
    const { rows } = await administrator.query<Lock>(
      `SELECT l.pid AS session, l.classid::text AS "classId", l.objid::text AS key
       FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.granted AND a.datname = $1 AND a.application_name LIKE 'group-node-0%'`,
      [database],
    );
    return rows[0];
  };
  const writerLock = (): Promise<Lock> => waitFor('group-node-0 to hold its lock', findLock);

  const endSession = (session: number): Promise<unknown> =>
    administrator.query('SELECT pg_terminate_backend($1)', [session]);

  const storedBlocks = async (): Promise<number> => {
    const { rows } = await administrator.query<{ count: number }>('SELECT count(*)::integer FROM group_0.block_header');
    return rows[0]!.count;
  };

  /** Ends the writer's session, and is next in the queue for its lock. */
  const seizeLock = async (holder: pg.Client): Promise<{ readonly release: () => Promise<unknown> }> => {
    const { session, classId, key } = await writerLock();
    const values = [classId, key];
    const numbers = '(($1::bigint::bit(32))::integer, ($2::bigint::bit(32))::integer)';
    const taken = holder.query(`SELECT pg_advisory_lock${numbers}`, values);
    await waitFor('the other one to wait for the lock', async () => {
      const { rows } = await administrator.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = $1::oid AND objid = $2::oid",
        values,
      );
      return rows.length > 0;
    });
    await endSession(session);
    await taken;
    return { release: () => holder.query(`SELECT pg_advisory_unlock${numbers}`, values) };
  };

  const expectWritesGoOn = async (what: string): Promise<void> => {
    const milliseconds = await untilWritesGoOn(scenario, patience(times.writesGoOn));
    process.stderr.write(`${what}: writes go on after ${milliseconds.toFixed(0)} ms\n`);
    expect(scenario.load.defects).toEqual([]);
  };

  beforeAll(async () => {
    scenario = await openScenario('One writer', { load: { sendersPerGroup: 2, everyMs: 50 } });
    node = scenario.cluster.process('group-node-0');
    administrator = await connect('administrator');
    scenario.load.begin();
    await untilWritesGoOn(scenario, patience(times.writesGoOn));
  });
  afterEach(() => scenario.cluster.heal());
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
    await scenario?.remove();
  });

  it('a second process for the group ends with 1 and names the first, which goes on undisturbed', async () => {
    const before = await writerLock();
    const numbers = processNumbers(scenario);
    const began = performance.now();
    const second = scenario.cluster.anotherProcess('group-node-0', await freePort());
    const end = await second.ended;
    process.stderr.write(`a second starter ends after ${(performance.now() - began).toFixed(0)} ms\n`);
    expect(end).toEqual({ code: 1, signal: null });
    expect(performance.now() - began).toBeLessThan(patience(times.secondStarter));
    expect(second.standardError()).toMatch(
      new RegExp(`The data of group_0 is being written by group-node-0, process ${node.pid} on .*one writer`, 's'),
    );
    expect(await writerLock()).toEqual(before);
    expect(processNumbers(scenario)).toEqual(numbers);
    await expectWritesGoOn('after a second starter');
  });

  it('a lock that is lost under load, again and again, is taken again by the same process', async () => {
    const { pid } = node;
    const seen = new Set<number>();
    for (let loss = 0; loss < losses; loss++) {
      const { session } = await writerLock();
      seen.add(session);
      await endSession(session);
      await expectWritesGoOn(`loss ${loss + 1} of the lock under load`);
    }
    expect(seen.size).toBe(losses);
    expect(node.pid).toBe(pid);
  });

  it('while somebody else has the lock nothing is stored and nothing is mined; then it goes on', async () => {
    const { pid } = node;
    const { release } = await seizeLock(await connect('somebody else'));
    const stored = await storedBlocks();
    const ownHeights = (): Promise<number[]> => Promise.all(groups.map((to) => chainHeight(scenario.api, 0, to)));
    await waitFor('the node to say that it is not ready', async () => !(await node.health()).ready);
    const { reasons } = await node.health();
    const heights = await ownHeights();
    await pause(times.held);
    expect(await ownHeights()).toEqual(heights);
    // Whoever holds the lock knows that nobody else writes.
    expect(await storedBlocks()).toBe(stored);
    await release();
    await expectWritesGoOn(`a lock held by another for ${times.held} ms (${reasons.join('; ')})`);
    expect(node.pid).toBe(pid);
  });

  it('a connection lost while idle: it knows at once, mines nothing, and says why; then takes the lock again', async () => {
    const { load, cluster, api } = scenario;
    await load.rest();
    const proxy = cluster.proxy('group-node-0', 'postgres');
    const began = performance.now();
    proxy.cut();
    await waitFor('the node to say that it is not ready', async () => !(await node.health()).ready, { everyMs: 5 });
    const noticed = performance.now() - began;
    // What the server had received before the cut may still be committed, until its session ends.
    await waitFor("the server to end the writer's session", async () => (await findLock()) === undefined);
    const stored = await storedBlocks();
    const mined = await api.send('POST', '/miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=1');
    expect({ status: mined.status, text: mined.text }).toEqual({
      status: 503,
      text: expect.stringMatching(/store of group 0 cannot be used/),
    });
    expect(await storedBlocks()).toBe(stored);
    expect(noticed).toBeLessThan(patience(1_000));
    scenario.requireHits('cut');
    await proxy.heal();
    load.begin();
    await expectWritesGoOn(`lost while idle, noticed after ${noticed.toFixed(0)} ms`);
  });

  it('when another process has taken the lock for good, it ends with 1 and names it; restarted later it goes on', async () => {
    const holder = await connect('a writer of another house');
    await seizeLock(holder);
    expect(await node.ended).toEqual({ code: 1, signal: null });
    expect(node.log()).toMatch(/The data of group_0 is being written by a writer of another house/);
    await holder.end();
    const ready = await node.start();
    await expectWritesGoOn(`restarted after it had lost its place, ready after ${ready.toFixed(0)} ms`);
  });

  it('in the end nothing is lost and nothing doubled', async () => {
    await scenario.finish();
  });
});
