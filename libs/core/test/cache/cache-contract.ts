import { expect, it } from '@jest/globals';
import { type Cache, type CacheFailure, type CacheObserver, type CacheReadOutcome } from '../../src/cache/index.js';

/** A cache, and how its time goes on. */
export interface CacheInTime {
  readonly cache: Cache;
  /** Lets so many milliseconds go by. */
  pass(milliseconds: number): Promise<void>;
}

/** Remembers what it was told. */
export class CountingObserver implements CacheObserver {
  readonly reads: Record<CacheReadOutcome, number> = { hit: 0, miss: 0, 'wrong-bytes': 0 };
  readonly failures: Partial<Record<CacheFailure, number>> = {};
  readonly states: boolean[] = [];

  read(outcome: CacheReadOutcome): void {
    this.reads[outcome]++;
  }

  failed(reason: CacheFailure): void {
    this.failures[reason] = (this.failures[reason] ?? 0) + 1;
  }

  reachable(isReachable: boolean): void {
    this.states.push(isReachable);
  }
}

export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
/** Texts of a failed comparison show numbers. */
export const plain = (value: Uint8Array | undefined): number[] | undefined => value && [...value];

let last = 0;
/** A key that no other test has. */
const newKey = (): string => `key ${++last}`;

/** What both adapters of the port keep to, apart from times. */
export const cacheContract = (open: () => Cache | Promise<Cache>): void => {
  it('gives back the bytes that were put last, any bytes, until they are deleted', async () => {
    const cache = await open();
    const key = newKey();
    expect(await cache.get(key)).toBeUndefined();
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (const value of [bytes(1, 2, 3), bytes(), all, new Uint8Array(300_000).fill(9)]) {
      await cache.set(key, value);
      expect(Buffer.compare((await cache.get(key))!, value)).toBe(0);
    }
    await cache.delete(key);
    expect(await cache.get(key)).toBeUndefined();
    await cache.delete(key);
  });

  it.each(['', ' ', 'a\0b', 'ключ 🔑', 'x'.repeat(5_000), 'a:b', 'a:', ':b', '*', '{a}b'])(
    'keeps keys apart: %j',
    async (key) => {
      const cache = await open();
      await cache.set(key, bytes(7));
      await cache.set(`${key}.`, bytes(8));
      expect([plain(await cache.get(key)), plain(await cache.get(`${key}.`))]).toEqual([[7], [8]]);
      await cache.delete(key);
      expect([plain(await cache.get(key)), plain(await cache.get(`${key}.`))]).toEqual([undefined, [8]]);
    },
  );

  it('counts by more than one', async () => {
    const cache = await open();
    const key = newKey();
    expect(await cache.count(key, 60_000, 7)).toBe(7);
    expect([await cache.count(key, 60_000), await cache.count(key, 60_000, 30)]).toEqual([8, 38]);
  });

  it('loses no count of many callers at once', async () => {
    const cache = await open();
    const [key, other] = [newKey(), newKey()];
    const counts = await Promise.all(
      Array.from({ length: 400 }, (_, index) => cache.count(index % 2 ? key : other, 60_000)),
    );
    const sorted = counts.map(Number).sort((a, b) => a - b);
    expect(sorted).toEqual(Array.from({ length: 400 }, (_, index) => Math.floor(index / 2) + 1));
  });

  it('keeps many callers apart', async () => {
    const cache = await open();
    const keys = Array.from({ length: 200 }, newKey);
    await Promise.all(keys.map((key, index) => cache.set(key, bytes(index))));
    const got = await Promise.all(keys.map((key) => cache.get(key)));
    expect(got.map(plain)).toEqual(keys.map((_, index) => [index]));
  });

  it('a key may name a value and a counter', async () => {
    const cache = await open();
    const key = newKey();
    expect(await cache.count(key, 60_000)).toBe(1);
    expect(await cache.get(key)).toBeUndefined();
    await cache.set(key, bytes(5));
    expect(await cache.count(key, 60_000)).toBe(2);
    await cache.delete(key);
    expect([await cache.get(key), await cache.count(key, 60_000)]).toEqual([undefined, 3]);
  });

  it('tells observers what happens', async () => {
    const cache = await open();
    const observer = new CountingObserver();
    const end = cache.observe(observer);
    const key = newKey();
    await cache.get(key);
    await cache.set(key, bytes(1));
    await cache.get(key);
    await cache.get(key);
    expect(observer).toMatchObject({ reads: { hit: 2, miss: 1, 'wrong-bytes': 0 }, failures: {}, states: [true] });
    end();
    await cache.get(key);
    expect(observer.reads.hit).toBe(2);
  });

  it('answers nothing wrong once it is closed, and throws nothing', async () => {
    const cache = await open();
    await cache.close();
    await cache.close();
    await cache.set(newKey(), bytes(1));
    await cache.delete(newKey());
    expect(await cache.get(newKey())).toBeUndefined();
  });
};

/** What both keep to when time passes: where that is real time, a busy machine may be too slow for it. */
export const cacheTimes = (open: () => CacheInTime | Promise<CacheInTime>): void => {
  it('forgets a value when its time is over', async () => {
    const { cache, pass } = await open();
    const [short, long, never, none] = [newKey(), newKey(), newKey(), newKey()];
    await cache.set(short, bytes(1), 400);
    await cache.set(long, bytes(2), 60_000);
    await cache.set(never, bytes(3));
    await cache.set(none, bytes(4), 400);
    await cache.set(none, bytes(4), 0);
    expect(plain(await cache.get(short))).toEqual([1]);
    expect(await cache.get(none)).toBeUndefined();
    await pass(500);
    expect(await cache.get(short)).toBeUndefined();
    expect([plain(await cache.get(long)), plain(await cache.get(never))]).toEqual([[2], [3]]);
  });

  it('counts within a window that starts with the first count and ends whatever comes later', async () => {
    const { cache, pass } = await open();
    const [key, other] = [newKey(), newKey()];
    expect(await cache.count(key, 600)).toBe(1);
    expect(await cache.count(other, 60_000)).toBe(1);
    await pass(350);
    expect([await cache.count(key, 600), await cache.count(key, 600)]).toEqual([2, 3]);
    await pass(350);
    expect(await cache.count(key, 600)).toBe(1);
    expect(await cache.count(other, 60_000)).toBe(2);
  });
};
