import { describe, expect, it } from '@jest/globals';
import { RecentMap } from './index.js';

describe('a map of recent values', () => {
  it('retains recently used values, up to its limit', () => {
    const recent = new RecentMap<number, string>(10);
    for (let key = 0; key < 1_000; key++) {
      recent.set(key, `value ${key}`);
      expect(recent.get(0)).toBe('value 0');
      expect(recent.size).toBeLessThanOrEqual(10);
    }
    expect(recent.get(500)).toBeUndefined();
    expect(recent.get(999)).toBe('value 999');
  });

  it('replaces and deletes values', () => {
    const recent = new RecentMap<string, number>(4);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);
    expect([recent.get('a'), recent.size]).toEqual([3, 2]);
    recent.delete('a');
    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 2]);
    recent.clear();
    expect([recent.get('a'), recent.get('b'), recent.size]).toEqual([undefined, undefined, 0]);
  });
});
