import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { MemoryCache } from './index.js';

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);
const create = (maxBytes = 10_000) => {
  const clock = createStoppedClock();
  return { clock, cache: new MemoryCache({ maxBytes, clock }) };
};

describe('cache in memory', () => {
  it('returns a stored value until it is deleted or expires', async () => {
    const { clock, cache } = create();
    await cache.set('a', bytes(3));
    await cache.set('b', bytes(4), 100);
    expect(await cache.get('a')).toEqual(bytes(3));
    clock.advance(99);
    expect(await cache.get('b')).toEqual(bytes(4));
    clock.advance(1);
    expect(await cache.get('b')).toBeUndefined();
    await cache.delete('a');
    expect(await cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('evicts the least recently used when it is full, and never exceeds its limit', async () => {
    const { cache } = create(1_000);
    for (const key of ['a', 'b', 'c']) await cache.set(key, bytes(200));
    await cache.get('a');
    await cache.set('d', bytes(200));
    expect(await cache.get('b')).toBeUndefined();
    expect(await cache.get('a')).toBeDefined();
    await cache.set('large', bytes(5_000));
    expect(await cache.get('large')).toBeUndefined();
    for (let index = 0; index < 1_000; index++) await cache.set(`key ${index}`, bytes(index % 300));
    expect(cache.size).toBeLessThanOrEqual(1_000);
  });

  it('counts within a window that starts with the first count', async () => {
    const { clock, cache } = create();
    expect(await cache.count('limit', 1_000)).toBe(1);
    clock.advance(900);
    expect(await cache.count('limit', 1_000)).toBe(2);
    clock.advance(100);
    expect(await cache.count('limit', 1_000)).toBe(1);
  });
});
