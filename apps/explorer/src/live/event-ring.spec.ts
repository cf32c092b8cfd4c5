import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type LiveChange } from '@shardnode/messages';
import { EventRing, eventOf } from './event-ring.js';

const stats = { totalTransactions: 1, totalBlocks: 2, hashRate: '3', averageBlockTimeMs: 4, pendingCount: 5, lagMs: 6 };
const change = (n: number, epoch = 'a'): LiveChange => ({ v: 1, epoch, n, name: 'stats', data: stats });
const numbers = (ring: EventRing, n: number, epoch = 'a'): number[] | undefined =>
  ring.after(epoch, n)?.map((event) => event.change.n);

describe('the ring of events', () => {
  it('has the events after any of its last 2,000, and none of another epoch', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 4_000 }), (start, count) => {
        const ring = new EventRing();
        ring.restart('a', start);
        for (let n = start + 1; n <= start + count; n++) ring.add(eventOf(change(n)));
        const last = start + count;
        const first = Math.max(start, last - 2_000);
        expect(numbers(ring, last)).toEqual([]);
        expect(numbers(ring, first)).toEqual(Array.from({ length: last - first }, (_, i) => first + 1 + i));
        expect(numbers(ring, first - 1)).toBeUndefined();
        expect(numbers(ring, last + 1)).toBeUndefined();
        expect(numbers(ring, last, 'b')).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  it('drops the oldest when they are large', () => {
    const ring = new EventRing();
    ring.restart('a', 0);
    const addresses = Array.from({ length: 1_000 }, (_, i) => `${i}`.padEnd(500, 'x'));
    for (let n = 1; n <= 40; n++) {
      const data = { kind: 'pending' as const, transactions: [{ hash: 'ab'.repeat(32), addresses }] };
      ring.add(eventOf({ v: 1, epoch: 'a', n, name: 'transactions', data }));
    }
    expect(numbers(ring, 0)).toBeUndefined();
    expect(numbers(ring, 30)).toHaveLength(10);
  });
});
