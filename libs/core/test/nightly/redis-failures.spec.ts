import { expect, it } from '@jest/globals';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { freePort } from '../../src/servers/index.js';
import { bytes, cacheTimes, CountingObserver, plain } from '../cache/cache-contract.js';
import { answers, hasty, RedisOfTest } from '../cache/redis-of-test.js';

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
};

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

describeWithServers(['redis'], 'a cache in Redis, in time and when it fails', () => {
  const redis = new RedisOfTest();

  cacheTimes(async () => ({ cache: await redis.openAnswering(), pass: pause }));

  it('a server that is killed is a miss at once, one line in the redis.log, and it is back soon after its start', async () => {
    const cache = await redis.openAnswering();
    const observer = new CountingObserver();
    cache.observe(observer);
    await cache.set('kept', bytes(1));
    await redis.server.kill9();
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
    await redis.server.start();
    expect(await timed(() => until('the cache to answer', () => answers(cache)))).toBeLessThan(6_000);
    expect(await cache.get('kept')).toBeUndefined();
    await cache.set('kept', bytes(3));
    expect(plain(await cache.get('kept'))).toEqual([3]);
    expect(redis.levels()).toEqual([30, 40, 30]);
    expect(redis.log.join('')).not.toContain(String(redis.server.port));
    expect(observer.states).toEqual([true, false, true]);
    expect(observer.failures.away).toBeGreaterThan(0);
  });

  it('a frozen server costs a tenth of a second a few times, then one call a second', async () => {
    const cache = await redis.openAnswering(hasty);
    const observer = new CountingObserver();
    cache.observe(observer);
    await cache.set('kept', bytes(1));
    await redis.server.freeze();
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
      redis.server.thaw();
    }
    await until('the value to be there', async () => plain(await cache.get('kept'))?.[0] === 1);
    // Slow, and in time again; it was never away.
    expect([redis.levels().slice(0, 2), redis.levels().at(-1), redis.log.join('').includes('away')]).toEqual([
      [30, 40],
      30,
      false,
    ]);
  });

  it('a server that is slow but not too slow is left alone too, until it is quick again', async () => {
    const proxy = await startSlowProxy(redis.server.port);
    try {
      const cache = redis.open({ url: `redis://127.0.0.1:${proxy.port}`, commandTimeoutMs: 1_000 });
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
    const cache = await redis.openAnswering(hasty);
    await redis.server.freeze();
    const took = await timed(() => Promise.all(Array.from({ length: 500 }, (_, index) => cache.get(`key ${index}`))));
    redis.server.thaw();
    expect(took).toBeLessThan(2_000);
    await until('the cache to answer', () => answers(cache));
  });

  it('a connection that stays silent is given up, and made anew', async () => {
    const cache = await redis.openAnswering(hasty);
    const observer = new CountingObserver();
    cache.observe(observer);
    await redis.server.freeze();
    const end = performance.now() + 5_000;
    while (performance.now() < end) {
      expect(await cache.get('any')).toBeUndefined();
      await pause(50);
    }
    redis.server.thaw();
    expect(observer.states).toEqual([true, false]);
    await until('the cache to answer', () => answers(cache));
    expect(observer.states).toEqual([true, false, true]);
  });

  it('restarts under load: every answer is right or none', async () => {
    const cache = await redis.openAnswering();
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
      await redis.server.kill9();
      await pause(150);
      await redis.server.start();
      await until('the cache to answer', () => answers(cache));
    }
    isOver = true;
    await Promise.all(callers);
    expect(hits).toBeGreaterThan(20);
  });

  it('a full server refuses what is put, and still answers what it has', async () => {
    const cache = await redis.openAnswering();
    const observer = new CountingObserver();
    cache.observe(observer);
    await cache.set('kept', bytes(1));
    await redis.raw.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.raw.config('SET', 'maxmemory', '1');
    for (let index = 0; index < 20; index++) await cache.set(`new ${index}`, bytes(1));
    expect([plain(await cache.get('kept')), await cache.get('new 1')]).toEqual([[1], undefined]);
    await redis.raw.config('SET', 'maxmemory', '64mb');
    await redis.raw.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(observer.failures).toEqual({ refused: 20 });
  });

  it('a wrong password, and nobody there: everything is a miss, and nothing of the address is logged', async () => {
    await redis.raw.config('SET', 'requirepass', 'right-word');
    try {
      const { port } = redis.server;
      const nobody = await freePort();
      for (const url of [
        `redis://:secret-word@127.0.0.1:${port}`,
        `redis://127.0.0.1:${port}`,
        `redis://:secret-word@127.0.0.1:${nobody}`,
        `redis://:secret-word@no-such-host.invalid:${nobody}`,
      ]) {
        redis.log.length = 0;
        const cache = redis.open({ url });
        await until('a line of the log', () => redis.log.length > 0);
        await pause(300);
        expect(await cache.get('any')).toBeUndefined();
        expect(await cache.count('any', 1_000)).toBeUndefined();
        expect(redis.levels()).toEqual([40]);
        expect(redis.log.join('')).not.toMatch(/secret-word|127\.0\.0\.1|no-such-host/);
        expect(redis.log.join('')).not.toContain(String(port));
      }
      const right = redis.open({ url: `redis://:right-word@127.0.0.1:${port}/3` });
      await until('the cache to answer', () => answers(right));
    } finally {
      await redis.raw.config('SET', 'requirepass', '');
    }
  });
});
