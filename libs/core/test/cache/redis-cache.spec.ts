import { describe, expect, it } from '@jest/globals';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { forgetCache, openRedisCache } from '../../src/cache/index.js';
import { ConfigurationError } from '../../src/configuration/index.js';
import { silentLogger } from '../../src/observability/index.js';
import { freePort } from '../../src/servers/index.js';
import { bytes, cacheContract, CountingObserver, plain } from './cache-contract.js';
import { RedisOfTest } from './redis-of-test.js';

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
  const redis = new RedisOfTest();

  cacheContract(() => redis.openAnswering());

  it('is shared by all who have the same prefix, and by nobody else', async () => {
    const [ours, alsoOurs, other] = [
      await redis.openAnswering(),
      await redis.openAnswering(),
      await redis.openAnswering({ prefix: 'tes' }),
    ];
    await ours.set('shared', bytes(1));
    expect([plain(await alsoOurs.get('shared')), await other.get('shared')]).toEqual([[1], undefined]);
    expect([await ours.count('shared', 60_000), await alsoOurs.count('shared', 60_000)]).toEqual([1, 2]);
    expect(await other.count('shared', 60_000)).toBe(1);
  });

  it('is forgotten for one prefix, whatever stands in it, and for no other', async () => {
    const [ours, other] = [await redis.openAnswering(), await redis.openAnswering({ prefix: 'tes' })];
    for (let i = 0; i < 1_200; i++) await ours.set(`many-${i}`, bytes(1));
    await ours.count('counted', 60_000);
    await other.set('kept', bytes(2));
    await forgetCache({ url: redis.server.url }, 'test');
    expect(await redis.raw.keys('test:*')).toEqual([]);
    expect(plain(await other.get('kept'))).toEqual([2]);
    await expect(forgetCache({ url: `redis://127.0.0.1:${await freePort()}` }, 'test')).rejects.toThrow();
  });

  it('keeps nothing without an end', async () => {
    const cache = await redis.openAnswering();
    await cache.set('endless', bytes(1));
    await cache.count('ends', 5_000);
    expect(await redis.raw.pttl('test:value:endless')).toBeGreaterThan(60_000);
    // -1: without an end; -2: gone meanwhile.
    for (const key of await redis.raw.keys('test:*')) expect(await redis.raw.pttl(key)).not.toBe(-1);
  });

  describe('full of wrong bytes', () => {
    const name = 'test:value:wrong';
    const wrongForms: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['a text', () => redis.raw.set(name, 'hello')],
      ['nothing', () => redis.raw.set(name, '')],
      ['a number', () => redis.raw.set(name, '17')],
      ['zeros', () => redis.raw.set(name, Buffer.alloc(64))],
      ['a list', () => redis.raw.rpush(name, 'a', 'b')],
      ['a set', () => redis.raw.sadd(name, 'a')],
      ['a sorted set', () => redis.raw.zadd(name, 1, 'a')],
      ['a hash', () => redis.raw.hset(name, 'a', 'b')],
      ['a stream', () => redis.raw.xadd(name, '*', 'a', 'b')],
      ['a bitmap', () => redis.raw.setbit(name, 70, 1)],
      ['a hyperloglog', () => redis.raw.pfadd(name, 'a')],
      ['the value of another key', async () => redis.raw.set(name, (await redis.raw.getBuffer('test:value:other'))!)],
      ['a value with more', async () => redis.raw.append(name, 'x')],
    ];

    it.each(wrongForms)('%s is a miss and is deleted', async (_form, write) => {
      const cache = await redis.openAnswering();
      const observer = new CountingObserver();
      cache.observe(observer);
      await cache.set('other', bytes(1, 2));
      await cache.set('wrong', bytes(1, 2));
      if (_form !== 'a value with more') await redis.raw.del(name);
      await write();
      expect(await cache.get('wrong')).toBeUndefined();
      await until('the wrong bytes to be deleted', async () => (await redis.raw.exists(name)) === 0);
      expect(observer.reads).toEqual({ hit: 0, miss: 0, 'wrong-bytes': 1 });
      await cache.set('wrong', bytes(3));
      expect(plain(await cache.get('wrong'))).toEqual([3]);
    });

    it('a value with any bit changed, and one cut off anywhere', async () => {
      const cache = await redis.openAnswering();
      await cache.set('wrong', bytes(1, 2, 3, 4));
      const right = (await redis.raw.getBuffer(name))!;
      const flipped = Array.from({ length: right.length * 8 }, (_, bit) => {
        const changed = Buffer.from(right);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        return changed;
      });
      const cut = Array.from({ length: right.length }, (_, length) => right.subarray(0, length));
      for (const wrong of [...flipped, ...cut]) {
        await redis.raw.set(name, wrong);
        expect(await cache.get('wrong')).toBeUndefined();
        await until('the wrong bytes to be deleted', async () => (await redis.raw.exists(name)) === 0);
      }
      await redis.raw.set(name, right);
      expect(plain(await cache.get('wrong'))).toEqual([1, 2, 3, 4]);
    });

    it.each([
      ['a text', (counter: string) => redis.raw.set(counter, 'many')],
      ['a list', (counter: string) => redis.raw.rpush(counter, 'a')],
      ['a hash', (counter: string) => redis.raw.hset(counter, 'a', '1')],
      ['a count without an end', (counter: string) => redis.raw.set(counter, '500')],
      ['a count with an end too far', (counter: string) => redis.raw.set(counter, '500', 'PX', 86_400_000)],
      ['a negative count', (counter: string) => redis.raw.set(counter, '-500', 'PX', 100)],
      ['the largest number', (counter: string) => redis.raw.set(counter, '9223372036854775807', 'PX', 100)],
      ['a fraction', (counter: string) => redis.raw.set(counter, '1.5', 'PX', 100)],
    ])('%s where a counter should be: counting begins again, and ends', async (_form, write) => {
      const cache = await redis.openAnswering();
      const counter = 'test:count:wrong';
      await redis.raw.del(counter);
      await write(counter);
      expect([await cache.count('wrong', 5_000), await cache.count('wrong', 5_000)]).toEqual([1, 2]);
      expect(await redis.raw.pttl(counter)).toBeGreaterThan(0);
      expect(await redis.raw.pttl(counter)).toBeLessThanOrEqual(5_000);
    });

    it('a count that is no number of ours is none', async () => {
      const cache = await redis.openAnswering();
      await redis.raw.set('test:count:huge', '9223372036854775800', 'PX', 50_000);
      expect(await cache.count('huge', 60_000)).toBeUndefined();
    });
  });
});
