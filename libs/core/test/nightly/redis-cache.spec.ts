import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { Redis } from 'ioredis';
import { forgetCache, openRedisCache, type Cache } from '../../src/cache/index.js';
import { ConfigurationError } from '../../src/configuration/index.js';
import { createLogger, silentLogger } from '../../src/observability/index.js';
import { freePort, startRedis, type ServerProcess } from '../../src/servers/index.js';
import { cacheContract, CountingObserver } from '../cache/cache-contract.js';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const plain = (value: Uint8Array | undefined): number[] | undefined => value && [...value];

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
};

const answers = async (cache: Cache): Promise<boolean> => (await cache.count('answers', 60_000)) !== undefined;

interface SlowProxy {
  readonly port: number;
  /** What each piece from the server waits. */
  delayMs: number;
  close(): void;
}

const startSlowProxy = async (target: number): Promise<SlowProxy> => {
  const sockets = new Set<Socket>();
  const proxy = { port: await freePort(), delayMs: 0, close: () => undefined as void };
  const listener = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(upstream);
    upstream.on('data', (piece) => setTimeout(() => client.write(piece), proxy.delayMs));
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(proxy.port, '127.0.0.1', resolve));
  proxy.close = () => {
    listener.close();
    sockets.forEach((socket) => socket.destroy());
  };
  return proxy;
};

describe('address of a Redis', () => {
  it.each(['', 'redis', 'http://127.0.0.1', '//127.0.0.1:6379', '127.0.0.1:6379', 'redis//x:secret-word'])(
    '%j is none, which is told without repeating it',
    (url) => {
      const open = () => openRedisCache({ url, prefix: 'test', logger: silentLogger });
      expect(open).toThrow(ConfigurationError);
      expect(open).not.toThrow(/secret-word|http/);
    },
  );
});

describeWithServers(['redis'], 'cache in Redis', () => {
  const parent = mkdtempSync(join(tmpdir(), 'redis-cache-'));
  let server: ServerProcess;
  let raw: Redis;
  const opened: Cache[] = [];
  const log: string[] = [];
  /** Waits longer than a gateway does: a busy machine must not look like a slow Redis. */
  const patient = { commandTimeoutMs: 5_000 };
  const hasty = { commandTimeoutMs: 100 };
  const open = async (settings: { prefix?: string; url?: string; commandTimeoutMs?: number } = {}): Promise<Cache> => {
    const logger = createLogger({ destination: { write: (line: string) => void log.push(line) } });
    const cache = openRedisCache({ url: server.url, prefix: 'test', logger, ...patient, ...settings });
    opened.push(cache);
    return cache;
  };
  const openAnswering = async (settings: { prefix?: string; commandTimeoutMs?: number } = {}): Promise<Cache> => {
    const cache = await open(settings);
    await until('the cache to answer', () => answers(cache));
    return cache;
  };
  const levels = (): number[] => log.map((line) => (JSON.parse(line) as { level: number }).level);

  beforeAll(async () => {
    server = await startRedis({ folder: join(parent, 'redis') });
    raw = new Redis(server.url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    raw.on('error', () => undefined);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((cache) => cache.close()));
    log.length = 0;
  });
  afterAll(async () => {
    raw.disconnect();
    await server.remove();
    rmSync(parent, { recursive: true, force: true });
  });

  cacheContract(async () => ({ cache: await openAnswering(), pass: pause }));

  it('is shared by all who have the same prefix, and by nobody else', async () => {
    const [ours, alsoOurs, other] = [
      await openAnswering(),
      await openAnswering(),
      await openAnswering({ prefix: 'tes' }),
    ];
    await ours.set('shared', bytes(1));
    expect([plain(await alsoOurs.get('shared')), await other.get('shared')]).toEqual([[1], undefined]);
    expect([await ours.count('shared', 60_000), await alsoOurs.count('shared', 60_000)]).toEqual([1, 2]);
    expect(await other.count('shared', 60_000)).toBe(1);
  });

  it('is forgotten for one prefix, whatever stands in it, and for no other', async () => {
    const [ours, other] = [await openAnswering(), await openAnswering({ prefix: 'tes' })];
    for (let i = 0; i < 1_200; i++) await ours.set(`many-${i}`, bytes(1));
    await ours.count('counted', 60_000);
    await other.set('kept', bytes(2));
    await forgetCache({ url: server.url }, 'test');
    expect(await raw.keys('test:*')).toEqual([]);
    expect(plain(await other.get('kept'))).toEqual([2]);
    await expect(forgetCache({ url: `redis://127.0.0.1:${await freePort()}` }, 'test')).rejects.toThrow();
  });

  it('keeps nothing without an end', async () => {
    const cache = await openAnswering();
    await cache.set('endless', bytes(1));
    await cache.count('ends', 5_000);
    expect(await raw.pttl('test:value:endless')).toBeGreaterThan(60_000);
    // -1: without an end; -2: gone meanwhile.
    for (const key of await raw.keys('test:*')) expect(await raw.pttl(key)).not.toBe(-1);
  });

  describe('full of wrong bytes', () => {
    const name = 'test:value:wrong';
    const wrongForms: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['a text', () => raw.set(name, 'hello')],
      ['nothing', () => raw.set(name, '')],
      ['a number', () => raw.set(name, '17')],
      ['zeros', () => raw.set(name, Buffer.alloc(64))],
      ['a list', () => raw.rpush(name, 'a', 'b')],
      ['a set', () => raw.sadd(name, 'a')],
      ['a sorted set', () => raw.zadd(name, 1, 'a')],
      ['a hash', () => raw.hset(name, 'a', 'b')],
      ['a stream', () => raw.xadd(name, '*', 'a', 'b')],
      ['a bitmap', () => raw.setbit(name, 70, 1)],
      ['a hyperloglog', () => raw.pfadd(name, 'a')],
      ['the value of another key', async () => raw.set(name, (await raw.getBuffer('test:value:other'))!)],
      ['a value with more', async () => raw.append(name, 'x')],
    ];

    it.each(wrongForms)('%s is a miss and is deleted', async (_form, write) => {
      const cache = await openAnswering();
      const observer = new CountingObserver();
      cache.observe(observer);
      await cache.set('other', bytes(1, 2));
      await cache.set('wrong', bytes(1, 2));
      if (_form !== 'a value with more') await raw.del(name);
      await write();
      expect(await cache.get('wrong')).toBeUndefined();
      await until('the wrong bytes to be deleted', async () => (await raw.exists(name)) === 0);
      expect(observer.reads).toEqual({ hit: 0, miss: 0, 'wrong-bytes': 1 });
      await cache.set('wrong', bytes(3));
      expect(plain(await cache.get('wrong'))).toEqual([3]);
    });

    it('a value with any bit changed, and one cut off anywhere', async () => {
      const cache = await openAnswering();
      await cache.set('wrong', bytes(1, 2, 3, 4));
      const right = (await raw.getBuffer(name))!;
      const flipped = Array.from({ length: right.length * 8 }, (_, bit) => {
        const changed = Buffer.from(right);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        return changed;
      });
      const cut = Array.from({ length: right.length }, (_, length) => right.subarray(0, length));
      for (const wrong of [...flipped, ...cut]) {
        await raw.set(name, wrong);
        expect(await cache.get('wrong')).toBeUndefined();
        await until('the wrong bytes to be deleted', async () => (await raw.exists(name)) === 0);
      }
      await raw.set(name, right);
      expect(plain(await cache.get('wrong'))).toEqual([1, 2, 3, 4]);
    });

    it.each([
      ['a text', (counter: string) => raw.set(counter, 'many')],
      ['a list', (counter: string) => raw.rpush(counter, 'a')],
      ['a hash', (counter: string) => raw.hset(counter, 'a', '1')],
      ['a count without an end', (counter: string) => raw.set(counter, '500')],
      ['a count with an end too far', (counter: string) => raw.set(counter, '500', 'PX', 86_400_000)],
      ['a negative count', (counter: string) => raw.set(counter, '-500', 'PX', 100)],
      ['the largest number', (counter: string) => raw.set(counter, '9223372036854775807', 'PX', 100)],
      ['a fraction', (counter: string) => raw.set(counter, '1.5', 'PX', 100)],
    ])('%s where a counter should be: counting begins again, and ends', async (_form, write) => {
      const cache = await openAnswering();
      const counter = 'test:count:wrong';
      await raw.del(counter);
      await write(counter);
      expect([await cache.count('wrong', 5_000), await cache.count('wrong', 5_000)]).toEqual([1, 2]);
      expect(await raw.pttl(counter)).toBeGreaterThan(0);
      expect(await raw.pttl(counter)).toBeLessThanOrEqual(5_000);
    });

    it('a count that is no number of ours is none', async () => {
      const cache = await openAnswering();
      await raw.set('test:count:huge', '9223372036854775800', 'PX', 4_000);
      expect(await cache.count('huge', 5_000)).toBeUndefined();
    });
  });

  it('a server that is killed is a miss at once, one line in the log, and it is back soon after its start', async () => {
    const cache = await openAnswering();
    const observer = new CountingObserver();
    cache.observe(observer);
    await cache.set('kept', bytes(1));
    await server.kill9();
    await until('the loss to be told', () => observer.states.at(-1) === false);
    const took = await timed(async () => {
      for (let index = 0; index < 200; index++) {
        expect(await cache.get('kept')).toBeUndefined();
        await cache.set('kept', bytes(2));
        expect(await cache.count('kept', 60_000)).toBeUndefined();
      }
    });
    expect(took).toBeLessThan(1_000);
    await pause(700);
    await server.start();
    expect(await timed(() => until('the cache to answer', () => answers(cache)))).toBeLessThan(6_000);
    expect(await cache.get('kept')).toBeUndefined();
    await cache.set('kept', bytes(3));
    expect(plain(await cache.get('kept'))).toEqual([3]);
    expect(levels()).toEqual([30, 40, 30]);
    expect(log.join('')).not.toContain(String(server.port));
    expect(observer.states).toEqual([true, false, true]);
  });

  it('a frozen server costs a tenth of a second a few times, then one call a second', async () => {
    const cache = await openAnswering(hasty);
    const observer = new CountingObserver();
    cache.observe(observer);
    await cache.set('kept', bytes(1));
    await server.freeze();
    try {
      const took = await timed(async () => {
        for (let index = 0; index < 1_000; index++) expect(await cache.get('kept')).toBeUndefined();
      });
      expect(took).toBeGreaterThan(450);
      expect(took).toBeLessThan(2_500);
      expect(observer.failures['timeout']).toBeLessThanOrEqual(6);
      await pause(1_100);
      const slowest = await Promise.all(Array.from({ length: 50 }, () => timed(() => cache.get('kept'))));
      expect(slowest.filter((milliseconds) => milliseconds > 50).length).toBeLessThanOrEqual(1);
    } finally {
      server.thaw();
    }
    await until('the value to be there', async () => plain(await cache.get('kept'))?.[0] === 1);
    // Slow, and in time again; it was never away.
    expect([levels().slice(0, 2), levels().at(-1), log.join('').includes('away')]).toEqual([[30, 40], 30, false]);
  });

  it('a server that is slow but not too slow is left alone too, until it is quick again', async () => {
    const proxy = await startSlowProxy(server.port);
    try {
      const cache = await open({ url: `redis://127.0.0.1:${proxy.port}`, commandTimeoutMs: 1_000 });
      await until('the cache to answer', () => answers(cache));
      await cache.set('kept', bytes(1));
      proxy.delayMs = 600;
      let answered = 0;
      for (let index = 0; index < 1_000; index++) if (await cache.get('kept')) answered++;
      expect(answered).toBeGreaterThan(2);
      expect(answered).toBeLessThan(9);
      proxy.delayMs = 0;
      await until('the value to be there', async () => plain(await cache.get('kept'))?.[0] === 1);
      await cache.close();
    } finally {
      proxy.close();
    }
  });

  it('many callers at once of a frozen server wait together, and none of them fails', async () => {
    const cache = await openAnswering(hasty);
    await server.freeze();
    const took = await timed(() => Promise.all(Array.from({ length: 500 }, (_, index) => cache.get(`key ${index}`))));
    server.thaw();
    expect(took).toBeLessThan(2_000);
    await until('the cache to answer', () => answers(cache));
  });

  it('a connection that stays silent is given up, and made anew', async () => {
    const cache = await openAnswering(hasty);
    const observer = new CountingObserver();
    cache.observe(observer);
    await server.freeze();
    const end = performance.now() + 5_000;
    while (performance.now() < end) {
      expect(await cache.get('any')).toBeUndefined();
      await pause(50);
    }
    server.thaw();
    expect(observer.states).toEqual([true, false]);
    await until('the cache to answer', () => answers(cache));
    expect(observer.states).toEqual([true, false, true]);
  });

  it('restarts under load: every answer is right or none', async () => {
    const cache = await openAnswering();
    let isOver = false;
    let hits = 0;
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let round = 0; !isOver; round++) {
        const key = `load ${caller} ${round % 5}`;
        await cache.set(key, bytes(caller, round % 5));
        const got = plain(await cache.get(key));
        if (got) expect(got).toEqual([caller, round % 5]);
        if (got) hits++;
        await pause(1);
      }
    });
    for (let restarts = 0; restarts < 3; restarts++) {
      await pause(150);
      await server.kill9();
      await pause(150);
      await server.start();
      await until('the cache to answer', () => answers(cache));
    }
    isOver = true;
    await Promise.all(callers);
    expect(hits).toBeGreaterThan(20);
  });

  it('a full server refuses what is put, and still answers what it has', async () => {
    const cache = await openAnswering();
    const observer = new CountingObserver();
    cache.observe(observer);
    await cache.set('kept', bytes(1));
    await raw.config('SET', 'maxmemory-policy', 'noeviction');
    await raw.config('SET', 'maxmemory', '1');
    for (let index = 0; index < 20; index++) await cache.set(`new ${index}`, bytes(1));
    expect([plain(await cache.get('kept')), await cache.get('new 1')]).toEqual([[1], undefined]);
    await raw.config('SET', 'maxmemory', '64mb');
    await raw.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(observer.failures).toEqual({ refused: 20 });
  });

  it('a wrong password, and nobody there: everything is a miss, and nothing of the address is logged', async () => {
    await raw.config('SET', 'requirepass', 'right-word');
    try {
      const { port } = server;
      const nobody = await freePort();
      for (const url of [
        `redis://:secret-word@127.0.0.1:${port}`,
        `redis://127.0.0.1:${port}`,
        `redis://:secret-word@127.0.0.1:${nobody}`,
        `redis://:secret-word@no-such-host.invalid:${nobody}`,
      ]) {
        log.length = 0;
        const cache = await open({ url });
        await until('a line of the log', () => log.length > 0);
        await pause(300);
        expect(await cache.get('any')).toBeUndefined();
        expect(await cache.count('any', 1_000)).toBeUndefined();
        expect(levels()).toEqual([40]);
        expect(log.join('')).not.toMatch(/secret-word|127\.0\.0\.1|no-such-host/);
        expect(log.join('')).not.toContain(String(port));
      }
      const right = await open({ url: `redis://:right-word@127.0.0.1:${port}/3` });
      await until('the cache to answer', () => answers(right));
    } finally {
      await raw.config('SET', 'requirepass', '');
    }
  });
});
