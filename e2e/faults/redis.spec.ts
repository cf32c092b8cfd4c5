import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { percentile } from '@shardnode/testing/statistics';
import { Redis } from 'ioredis';
import { type ApiClient, type Method } from '../kit/api-client.js';
import { type ClusterProcess } from '../kit/cluster/cluster-process.js';
import { busNamespace } from '../kit/cluster/cluster-servers.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { processNumbers } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment.js';
import { chains } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';

/** Milliseconds. A request asks the cache twice at most: for the limit of its client, and for what it wants. */
const times = { each: isLong ? 15_000 : 2_500, command: 100, slow: 500 };
const commandsOfARequest = 2;
const readers = 4;

/** What readers have seen in a time: milliseconds of all requests. */
interface Seen {
  readonly durations: readonly number[];
}

const describeSeen = ({ durations }: Seen): string => {
  const [middle, late, last] = [50, 99, 100].map((percent) => percentile(durations, percent).toFixed(1));
  return `${durations.length} reads, median ${middle} ms, p99 ${late} ms, slowest ${last} ms`;
};

describeCluster('Redis in trouble, under load', () => {
  let scenario: Scenario;
  let redis: Redis;
  let gateways: readonly ClusterProcess[];
  let normal: Seen;
  let started: readonly string[];
  /** Of each block that anybody has read: what it was answered first. */
  const first = new Map<string, string>();

  /** The newest blocks of all chains, through one gateway and then the other: what the first one has put into the cache. */
  const read = async (forMs: number, inBetween: () => Promise<unknown> = async () => undefined): Promise<Seen> => {
    const durations: number[] = [];
    const end = performance.now() + forMs;
    const timed = async (api: ApiClient, method: Method, path: string): Promise<string> => {
      const began = performance.now();
      const { status, text } = await api.send(method, path);
      durations.push(performance.now() - began);
      expect({ path, status, text }).toMatchObject({ status: 200 });
      return text;
    };
    const readOne = async (turn: number): Promise<void> => {
      const [near, far] = turn % 2 === 0 ? [scenario.api, scenario.second!] : [scenario.second!, scenario.api];
      const { from, to } = chains[turn % chains.length]!;
      const chain = `fromGroup=${from}&toGroup=${to}`;
      const { currentHeight } = JSON.parse(await timed(near, 'GET', `/blockflow/chain-info?${chain}`)) as {
        readonly currentHeight: number;
      };
      const { headers } = JSON.parse(
        await timed(near, 'GET', `/blockflow/hashes?${chain}&height=${currentHeight}`),
      ) as { readonly headers: readonly string[] };
      const path = `/blockflow/blocks/${headers[0]}`;
      const block = await timed(near, 'GET', path);
      expect(JSON.parse(block)).toMatchObject({
        hash: headers[0],
        chainFrom: from,
        chainTo: to,
        height: currentHeight,
      });
      if (!first.has(path)) first.set(path, block);
      await inBetween();
      expect(await timed(far, 'GET', path)).toBe(first.get(path));
    };
    const run = async (reader: number): Promise<void> => {
      for (let turn = reader; performance.now() < end; turn += readers) await readOne(turn);
    };
    await Promise.all(Array.from({ length: readers }, (_, reader) => run(reader)));
    return { durations };
  };

  const counted = async (name: string, labels: string): Promise<number> => {
    const counts = await Promise.all(gateways.map(async (gateway) => metricSum(await gateway.metrics(), name, labels)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const failures = (reason: string): Promise<number> =>
    counted('cache_failures_total', `cache="shared",reason="${reason}"`);

  const isReachable = (): Promise<unknown> =>
    waitFor('both gateways to reach the cache', async () => (await counted('cache_reachable', 'cache="shared"')) === 2);

  /** Everybody got 200, the right bytes, and little later than usual. */
  const expectUnharmed = (what: string, seen: Seen): void => {
    process.stderr.write(`${what}: ${describeSeen(seen)}\n`);
    const most = percentile(normal.durations, 99) + patience(times.command * commandsOfARequest);
    expect(percentile(seen.durations, 99)).toBeLessThan(most);
    expect([...scenario.load.answers.keys()]).toEqual([200]);
    expect(scenario.load.defects).toEqual([]);
    expect(processNumbers(scenario)).toEqual(started);
  };

  beforeAll(async () => {
    scenario = await openScenario('Redis in trouble', {
      secondGateway: true,
      settings: { RATE_LIMIT: '1000000' },
      load: { sendersPerGroup: 2, everyMs: 50 },
    });
    gateways = [scenario.cluster.process('gateway'), scenario.cluster.process('gateway-2')];
    started = processNumbers(scenario);
    redis = new Redis(scenario.cluster.servers.redis.url, { retryStrategy: () => 100, maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    await isReachable();
    scenario.load.begin();
    await read(times.each / 2);
    normal = await read(times.each);
    process.stderr.write(`with Redis: ${describeSeen(normal)}\n`);
    expect(await counted('cache_reads_total', 'cache="shared",outcome="hit"')).toBeGreaterThan(0);
  });
  afterEach(async () => {
    const { cluster } = scenario;
    await cluster.heal();
    cluster.servers.redis.thaw();
    if (cluster.servers.redis.pid === undefined) await cluster.servers.redis.start();
    if (gateways.every(({ isRunning }) => isRunning)) await isReachable();
  });
  afterAll(async () => {
    redis?.disconnect();
    await scenario?.remove();
  });

  it('killed, and started again with nothing in it', async () => {
    const before = await failures('away');
    const reading = read(times.each * 2);
    await pause(times.each / 4);
    await scenario.cluster.servers.redis.kill9();
    await pause(times.each);
    await scenario.cluster.servers.redis.start();
    expectUnharmed('killed', await reading);
    expect(await failures('away')).toBeGreaterThan(before);
  });

  it('frozen', async () => {
    const before = await failures('timeout');
    const reading = read(times.each * 1.5);
    await pause(times.each / 4);
    await scenario.cluster.servers.redis.freeze();
    await pause(times.each);
    scenario.cluster.servers.redis.thaw();
    expectUnharmed('frozen', await reading);
    expect(await failures('timeout')).toBeGreaterThan(before);
  });

  it(`slower than it may be, by ${times.slow} ms`, async () => {
    const before = await failures('timeout');
    scenario.cluster.proxiesTo('redis').forEach((proxy) => proxy.delay(times.slow));
    expectUnharmed('slow', await read(times.each));
    expect(await failures('timeout')).toBeGreaterThan(before);
    scenario.requireHits('delayed', 5);
  });

  it('full of wrong bytes of all types, again before each second read', async () => {
    let spoilt = 0;
    const spoilAll = async (): Promise<void> => {
      // Nobody waits for what a gateway puts into the cache.
      await pause(20);
      const keys = await redis.keys(`${busNamespace}:*`);
      await Promise.all(keys.map((key) => spoilKey(redis, key, (spoilt += 1))));
    };
    let wrong = 0;
    // On a busy machine few reads fit between two spoilings, and a gateway may still do without Redis.
    for (let round = 0; round < 5 && wrong === 0; round++) {
      const seen = await read(times.each * 2, spoilAll);
      wrong = await counted('cache_reads_total', 'cache="shared",outcome="wrong-bytes"');
      expectUnharmed(`${spoilt} wrong values, ${wrong} of them met`, seen);
    }
    expect(wrong).toBeGreaterThan(0);
  });

  it('all blocks are still answered as they were first, also by a gateway that remembers nothing', async () => {
    await scenario.load.rest();
    await gateways[1]!.restart();
    for (const [path, text] of first) {
      const answer = await scenario.second!.send('GET', path);
      expect({ path, status: answer.status, text: answer.text }).toEqual({ path, status: 200, text });
    }
    const { report } = await scenario.finish();
    expect(report.transactions).toBeGreaterThan(10);
  });
});

/** Writes a value under a key that nobody would: of another type, or other bytes of the same one. */
const spoilKey = async (redis: Redis, key: string, turn: number): Promise<void> => {
  const bytes = randomBytes(1 + (turn % 200));
  const writes: readonly (() => Promise<unknown>)[] = [
    () => redis.set(key, bytes),
    () => redis.set(key, ''),
    () => redis.set(key, '-5'),
    () => redis.set(key, 'null'),
    () => redis.append(key, bytes),
    () => redis.setrange(key, 20, bytes),
    () => redis.del(key).then(() => redis.lpush(key, bytes)),
    () => redis.del(key).then(() => redis.sadd(key, bytes)),
    () => redis.del(key).then(() => redis.zadd(key, 1, bytes)),
    () => redis.del(key).then(() => redis.hset(key, 'field', bytes)),
    () => redis.del(key).then(() => redis.xadd(key, '*', 'field', bytes)),
  ];
  // Appending to what is no text any more is refused.
  await writes[turn % writes.length]!().catch(() => undefined);
};
