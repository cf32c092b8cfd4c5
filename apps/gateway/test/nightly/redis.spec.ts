import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openRedisCache, type Cache } from '@shardnode/core/cache';
import { silentLogger } from '@shardnode/core/observability';
import { startRedis, type ServerProcess } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { Redis } from 'ioredis';
import { median } from '@shardnode/testing/statistics';
import { startFakeNetwork, type FakeGateway, type FakeNetwork } from '../fakes/fake-network.js';

const blocks = [0, 1, 2, 3].flatMap((from) => [0, 1, 2, 3].map((to) => genesisBlock(developmentNetwork, { from, to })));
const txId = (index: number): string => index.toString(16).padStart(64, '0');

describeWithServers(['redis'], 'gateway over a real Redis', () => {
  let server: ServerProcess;
  let raw: Redis;
  let network: FakeNetwork;
  let asked: string[];
  const folder = mkdtempSync(join(tmpdir(), 'gateway-redis-'));
  const opened: Cache[] = [];

  const open = async (commandTimeoutMs = 100): Promise<Cache> => {
    const cache = openRedisCache({ url: server.url, prefix: 'test', logger: silentLogger, commandTimeoutMs });
    opened.push(cache);
    while ((await cache.count('ready', 1_000)) === undefined) await pause(10);
    return cache;
  };

  beforeAll(async () => {
    server = await startRedis({ folder: join(folder, 'redis') });
    raw = new Redis(server.url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    raw.on('error', () => undefined);
  });
  beforeEach(async () => {
    network = await startFakeNetwork({ accessLog: false, rateLimit: 100_000 }, { cache: await open() });
    asked = [];
    network.groups['read.chain.block'] = ({ hash }, group) => {
      asked.push(`block ${group}`);
      return { block: blocks.find(({ header }) => header.hash === hash)!.raw, height: 0, isCanonical: true };
    };
    network.groups['read.transaction.status'] = (request, group) => {
      const isOwner = Number(`0x${request.txId.slice(-2)}`) % 4 === group;
      return isOwner ? { type: 'MemPooled', chainFrom: group, chainTo: group } : { type: 'TxNotFound' };
    };
  });
  afterEach(async () => {
    await network.stop();
    await Promise.all(opened.splice(0).map((cache) => cache.close()));
    await raw.flushall();
  });
  afterAll(async () => {
    raw.disconnect();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const blockPath = (index: number): string => `/blockflow/blocks/${blocks[index % blocks.length]!.header.hash}`;
  /** Requests of all kinds; gives the milliseconds of each, and fails on a wrong answer. */
  const work = async (gateway: FakeGateway, rounds: number): Promise<number[]> => {
    const times: number[] = [];
    for (let index = 0; index < rounds; index++) {
      const startedAt = performance.now();
      const [block, status, version] = await Promise.all([
        gateway.send('GET', blockPath(index)),
        gateway.send('GET', `/transactions/status?txId=${txId(index)}`),
        gateway.send('GET', '/infos/version'),
      ]);
      times.push(performance.now() - startedAt);
      expect([block.status, status.status, version.status]).toEqual([200, 200, 200]);
      expect(block.body.hash).toBe(blocks[index % blocks.length]!.header.hash);
      expect(status.body).toEqual({ type: 'MemPooled' });
    }
    return times;
  };

  /** A gateway that waits for Redis on a busy machine too, where others would go on without it. */
  const addPatient = async () => network.addGateway({}, { cache: await open(5_000) });

  it('a gateway that starts anew finds the answers that were made before', async () => {
    await work(await addPatient(), 16);
    expect(asked).toHaveLength(16);
    const other = await addPatient();
    await work(other, 32);
    expect(asked).toHaveLength(16);
  });

  it('wrong bytes under all our keys change no answer', async () => {
    await work(await addPatient(), 16);
    const keys = await raw.keys('test:value:*');
    expect(keys.length).toBeGreaterThanOrEqual(32);
    const [first] = keys;
    const values = await Promise.all(keys.map((key) => raw.getBuffer(key)));
    for (const [index, key] of keys.entries()) {
      const value = values[index]!;
      const forms = [
        () => raw.set(key, value.subarray(0, value.length - 1)),
        () => raw.set(key, '{"hash":"wrong"}'),
        () => raw.del(key).then(() => raw.rpush(key, 'x')),
        () => raw.set(key, values[(index + 1) % values.length]!),
        () => raw.del(key).then(() => raw.hset(key, 'a', 'b')),
        () => raw.set(key, Buffer.concat([value.subarray(0, 20), Buffer.of(value[20]! ^ 1), value.subarray(21)])),
      ];
      if (value.length > 20) await forms[index % forms.length]!();
      else await raw.set(key, Buffer.of(...value.subarray(0, -1), value.at(-1)! ^ 3));
    }
    expect(first).toBeDefined();
    const other = await addPatient();
    await work(other, 16);
    expect(asked).toHaveLength(32);
    // They were made anew, and are right again.
    const third = await addPatient();
    await work(third, 16);
    expect(asked).toHaveLength(32);
  });

  it('killed in the middle, away, and back: every request is answered, and soon', async () => {
    const working = work(network, 150);
    await pause(100);
    await server.kill9();
    const through = await working;
    expect(through.at(-1)).toBeLessThan(2_000);
    const away = await work(network, 100);
    expect(median(away)).toBeLessThan(80);
    await server.start();
    const other = await network.addGateway({}, { cache: await open() });
    await work(other, 16);
    // The one that lived through it writes to it again.
    await pause(1_500);
    await work(network, 40);
    expect((await raw.keys('test:count:rate:*')).length).toBeGreaterThan(0);
  });

  it('frozen: every request is answered, and all but a few soon', async () => {
    await work(network, 10);
    await server.freeze();
    try {
      const endsAt = performance.now() + 4_000;
      const times: number[] = [];
      while (performance.now() < endsAt) times.push(...(await work(network, 10)));
      expect(median(times)).toBeLessThan(80);
      expect(Math.max(...times)).toBeLessThan(2_000);
      expect(times.filter((milliseconds) => milliseconds > 90).length).toBeLessThan(times.length / 4);
    } finally {
      server.thaw();
    }
    await pause(1_500);
    await work(network, 10);
  });

  it('the limit of requests holds with Redis, without it, and over two gateways', async () => {
    const limited = await network.addGateway({ rateLimit: 20 }, { cache: await open(5_000) });
    const other = await network.addGateway({ rateLimit: 20 }, { cache: await open(5_000) });
    // Both must count in one minute of the wall clock.
    if (Date.now() % 60_000 > 50_000) await pause(60_000 - (Date.now() % 60_000));
    await raw.flushall();
    const statusesOf = (gateways: readonly FakeGateway[], count: number): Promise<number[]> =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const gateway = gateways[index % gateways.length]!;
          return (await gateway.send('GET', '/infos/version')).status;
        }),
      );
    const shared = await statusesOf([limited, other], 60);
    expect(shared.filter((status) => status === 200)).toHaveLength(20);
    expect(shared.filter((status) => status === 429)).toHaveLength(40);
    await server.kill9();
    const alone = await network.addGateway({ rateLimit: 20 }, { cache: opened.at(-1)! });
    const without = await statusesOf([alone], 60);
    expect(without.filter((status) => status === 200)).toHaveLength(20);
    expect(without.filter((status) => status === 429)).toHaveLength(40);
    await server.start();
  });
});
