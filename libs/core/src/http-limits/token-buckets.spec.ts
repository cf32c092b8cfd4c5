import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

const rate = { perSecond: 30, burst: 60 };
const open = () => {
  let now = 0;
  const buckets = new TokenBuckets({ monotonic: () => now });
  return { buckets, wait: (ms: number): void => void (now += ms) };
};
/** How many of `count` requests at once are allowed. */
const allowed = (buckets: TokenBuckets, client: string, count: number): number =>
  Array.from({ length: count }, () => buckets.take(client, rate)).filter((wait) => wait === 0).length;

describe('buckets of tokens', () => {
  it('allow a burst, and then the rate, to each client', () => {
    const { buckets, wait } = open();
    expect(allowed(buckets, 'a', 100)).toBe(60);
    expect(allowed(buckets, 'b', 100)).toBe(60);
    for (let second = 0; second < 3; second++) {
      wait(1_000);
      expect(allowed(buckets, 'a', 100)).toBe(30);
    }
    wait(3_600_000);
    expect(allowed(buckets, 'a', 100)).toBe(60);
  });

  it('say when there are enough, and take none before', () => {
    const { buckets, wait } = open();
    expect(buckets.take('a', rate, 60)).toBe(0);
    expect(buckets.take('a', rate, 3)).toBeCloseTo(100);
    wait(99);
    expect(buckets.take('a', rate, 3)).toBeCloseTo(1);
    wait(2);
    expect(buckets.take('a', rate, 3)).toBe(0);
  });
});
