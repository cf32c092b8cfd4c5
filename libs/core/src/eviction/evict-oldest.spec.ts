import { describe, expect, it } from '@jest/globals';
import { boundSize, evictOldest, lowWaterMark } from './evict-oldest.js';

describe('a bounded map', () => {
  it('evicts the oldest entries and stays within the limit', () => {
    const ids = new Set<number>();
    const limit = 160;
    for (let id = 0; id < 1_000; id++) {
      ids.add(id);
      boundSize(ids, limit);
      expect(ids.size).toBeLessThanOrEqual(limit);
      expect(ids.size).toBeGreaterThanOrEqual(Math.min(id + 1, lowWaterMark(limit)));
      expect([...ids].at(-1)).toBe(id);
      expect([...ids][0]).toBe(id + 1 - ids.size);
    }
  });

  it('searches for the oldest entry once for many insertions', () => {
    const ids = new Set<number>();
    let looks = 0;
    const looked = {
      get size() {
        return ids.size;
      },
      keys: () => {
        looks += 1;
        return ids.keys();
      },
      delete: (id: number) => ids.delete(id),
    };
    for (let id = 0; id < 3_200; id++) {
      ids.add(id);
      boundSize(looked, 1_600);
    }
    expect(looks).toBeLessThanOrEqual(Math.ceil(1_600 / 100));
    expect(looks).toBeGreaterThan(0);
  });

  it('may have another bound than its size', () => {
    const parts = new Map([
      ['a', 5],
      ['b', 1],
      ['c', 9],
    ]);
    let bytes = 15;
    evictOldest(
      parts,
      () => bytes <= 9,
      (key) => {
        bytes -= parts.get(key)!;
        parts.delete(key);
      },
    );
    expect([...parts.keys()]).toEqual(['c']);
  });
});
