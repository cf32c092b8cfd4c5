import { describe, expect, it } from '@jest/globals';
import { Tally } from './tally.js';

/** The keys in memory. */
const keysOf = (tally: Tally): string[] => [...(tally as unknown as { counts: Map<string, number> }).counts.keys()];

describe('a tally', () => {
  it('counts each key and all together', () => {
    const tally = new Tally();
    expect(tally.add('a')).toBe(1);
    expect(tally.add('a', 4)).toBe(5);
    expect(tally.add('b', 2)).toBe(2);
    expect([tally.of('a'), tally.of('b'), tally.of('c'), tally.total]).toEqual([5, 2, 0, 7]);
    expect(tally.subtract('a', 3)).toBe(2);
    expect(tally.subtract('a')).toBe(1);
    expect([tally.of('a'), tally.total]).toEqual([1, 3]);
  });

  it('forgets a key whose count is back at zero', () => {
    const tally = new Tally();
    tally.add('a');
    tally.add('b', 0);
    tally.add('c');
    tally.subtract('c');
    tally.subtract('d', 0);
    expect(keysOf(tally)).toEqual(['a']);
    expect(tally.subtract('a')).toBe(0);
    expect(keysOf(tally)).toEqual([]);
    expect(tally.total).toBe(0);
  });
});
