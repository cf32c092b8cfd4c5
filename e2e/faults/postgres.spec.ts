import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FaultProxy } from '../kit/cluster/fault-proxy.js';
import { logSummary } from '../kit/cluster/log-lines.js';
import { processNumbers, untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { SmallDisk } from '../kit/cluster/small-disk.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';

/** Milliseconds. `held`: with LONG longer than every limit of a query. */
const times = { down: isLong ? 5_000 : 1_000, held: isLong ? 9_000 : 1_500, writesGoOn: 10_000 };
/** Of each group-node on each side of the COMMIT; and half of those of all writers together. */
const cuts = isLong ? 25 : 4;
const terminations = isLong ? 25 : 4;

/** An answer 503. */
interface Refusal {
  readonly path: string;
  readonly text: string;
}

describeCluster('PostgreSQL in trouble, under load', () => {
  let scenario: Scenario;
  let started: readonly string[];
  let firstExchange = 0;
  let wallets = 0;

  /** Answers 503 since the last call. */
  const refusals = (): Refusal[] => {
    const { exchanges } = scenario.api;
    const all = exchanges.slice(firstExchange).filter(({ answer }) => answer?.status === 503);
    firstExchange = exchanges.length;
    return all.map(({ path, answer }) => ({ path, text: answer!.text }));
  };

  /** The cause is gone: writes go on by themselves, in the same processes, and careful senders have seen nothing else. */
  const expectResumption = async (what: string): Promise<void> => {
    const milliseconds = await untilWritesGoOn(scenario, patience(times.writesGoOn));
    const seen = new Map<string, number>();
    for (const { text } of refusals()) seen.set(text, (seen.get(text) ?? 0) + 1);
    process.stderr.write(`${what}: writes go on after ${milliseconds.toFixed(0)} ms; answers 503 meanwhile:\n`);
    for (const [text, count] of seen) process.stderr.write(`  ${count} x ${text}\n`);
    expect(processNumbers(scenario)).toEqual(started);
    expect(scenario.load.defects).toEqual([]);
  };

  const groupNodeProxies = (): readonly FaultProxy[] =>
    scenario.cluster.proxiesTo('postgres').filter(({ name }) => name.startsWith('group-node'));

  /** The wallet-service has no group: it says what is wrong with its own database. */
  const expectWalletsRefused = (why: RegExp): Promise<unknown> =>
    waitFor('the wallet-service to answer 503', async () => {
      const body = { walletName: `wallet${(wallets += 1)}`, password: 'password of a test' };
      const { status, text } = await scenario.api.send('POST', '/wallets', { body });
      if (status === 200) return false;
      expect({ status, text }).toEqual({ status: 503, text: expect.stringMatching(why) });
      return true;
    });

  const expectWalletsAnswer = async (): Promise<void> => {
    await waitFor(
      'the wallet-service to answer',
      async () => (await scenario.api.send('GET', '/wallets')).status === 200,
      { timeoutMs: patience(times.writesGoOn) },
    );
  };

  beforeAll(async () => {
    scenario = await openScenario('PostgreSQL in trouble', {
      load: { sendersPerGroup: 4, everyMs: 20 },
      postgresDiskMegabytes: 400,
      postgres: { max_wal_size: '64MB', min_wal_size: '32MB' },
    });
    started = processNumbers(scenario);
    scenario.load.begin();
    await untilWritesGoOn(scenario, patience(times.writesGoOn));
    scenario.requireHits('connections');
  });
  // What failed must not make all that follows fail.
  afterEach(async () => {
    const { cluster } = scenario;
    await cluster.heal();
    cluster.disk?.free();
    if (cluster.servers.postgres.pid === undefined) await cluster.servers.postgres.start();
  });
  afterAll(() => scenario?.remove());

  it.each([
    ['stopped fast', () => scenario.cluster.servers.postgres.stop('fast')],
    ['stopped at once', () => scenario.cluster.servers.postgres.stop('immediate')],
    ['killed', () => scenario.cluster.servers.postgres.kill9()],
  ])('%s and started again: 503 that says why, then writes go on by themselves', async (how, stop) => {
    const { postgres } = scenario.cluster.servers;
    refusals();
    await stop();
    await Promise.all([pause(times.down), expectWalletsRefused(/database does not answer/)]);
    await postgres.start();
    await expectResumption(how);
    await expectWalletsAnswer();
    scenario.requireHits('connections', 5);
  });

  it.each([
    ['before COMMIT reaches the server', 'before', 'cutBefore'],
    ['after COMMIT took effect and before its answer', 'after', 'cutAfter'],
  ] as const)('connections cut %s, again and again', async (what, side, hit) => {
    refusals();
    const wanted = groupNodeProxies().map((proxy) => ({ proxy, hits: proxy.hits[hit] + cuts }));
    // One after the other, so that the same block is hit again and again.
    groupNodeProxies().forEach((proxy) => proxy.cutAtCommit(side, cuts));
    await waitFor(`${cuts} cuts of each group-node`, () => wanted.every(({ proxy, hits }) => proxy.hits[hit] >= hits), {
      timeoutMs: patience(cuts * 3_000),
    });
    await expectResumption(`cut ${what} ${cuts} times each`);
    scenario.requireHits(hit, cuts * 4);
  });

  it('a black hole: who waits is told in time, and writes go on when it is over', async () => {
    refusals();
    const proxies = scenario.cluster.proxiesTo('postgres');
    proxies.forEach((proxy) => proxy.blackhole());
    await pause(times.held);
    proxies.forEach((proxy) => proxy.blackhole(false));
    await expectResumption(`a black hole of ${times.held} ms`);
    await expectWalletsAnswer();
    scenario.requireHits('blackholed', 4);
  });

  it("writers' sessions ended by an administrator, again and again", async () => {
    refusals();
    const client = new pg.Client({ connectionString: scenario.cluster.servers.postgres.url });
    await client.connect();
    let ended = 0;
    // How many at a time is a matter of how fast they are back.
    await waitFor(
      `${terminations * 2} sessions to be ended`,
      async () => {
        const { rows } = await client.query<{ ended: boolean }>(
          `SELECT pg_terminate_backend(pid) AS ended FROM pg_locks WHERE locktype = 'advisory' AND granted AND database IN
            (SELECT oid FROM pg_database WHERE datname LIKE 'shardnode_group%')`,
        );
        ended += rows.length;
        return ended >= terminations * 2;
      },
      { timeoutMs: patience(terminations * 2_000), everyMs: 300 },
    );
    await client.end();
    await expectResumption(`${ended} sessions ended`);
  });

  // Without it the test counts as skipped, not as passed.
  const itWithSmallDisk = SmallDisk.isPermitted() ? it : it.skip;

  itWithSmallDisk('a full disk: 503 that says so and no other answer, then writes go on by themselves', async () => {
    const { disk } = scenario.cluster;
    if (!disk) throw new Error('the small disk was not mounted');
    const { postgres } = scenario.cluster.servers;
    refusals();
    disk.fill();
    const seen = new Set<string>();
    // Not each group: tables have room left by rows that are gone, and for how long is a matter of chance.
    await waitFor(
      'a group to say that its disk is full',
      () => {
        refusals().forEach(({ text }) => seen.add(text));
        if ([...seen].some((text) => /group \d.*disk of its database is full/.test(text))) return true;
        throw new Error(`so far they said: ${[...seen].join(', ')}`);
      },
      { timeoutMs: patience(20_000) },
    );
    if (postgres.pid !== undefined) await expectWalletsRefused(/disk of its database is full|does not answer/);
    await pause(times.down);
    const isDown = postgres.pid === undefined;
    disk.free();
    // A server that could not write its log has ended; starting it is its operator's part.
    if (postgres.pid === undefined) await postgres.start();
    await expectResumption(`a full disk${isDown ? ', of which PostgreSQL itself had died' : ''}`);
    await expectWalletsAnswer();
  });

  it('in the end nothing is lost and nothing doubled', async () => {
    const { report } = await scenario.finish();
    expect(report.transactions).toBeGreaterThan(100);
    process.stderr.write(`${logSummary(scenario.cluster)}\n`);
  });
});
