import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { Arrivals } from './arrivals.js';

const open = () => {
  const clock = createStoppedClock();
  const present = new Set<string>();
  let queued = 0;
  const arrivals = new Arrivals({
    clock,
    has: (hash) => present.has(hash),
    enqueue: (work) => {
      queued += 1;
      return work();
    },
  });
  return { arrivals, present, clock, queued: () => queued };
};

describe('waiting for the import of a block', () => {
  it('looks in a queued task when the block is there', async () => {
    const { arrivals, present, queued } = open();
    present.add('a');
    expect(await arrivals.after('a', 0, async () => 'seen')).toBe('seen');
    expect(queued()).toBe(1);
  });

  it('looks right after the import, and the task of the import waits for that', async () => {
    const { arrivals, queued } = open();
    let looked = 0;
    const look = async (): Promise<number> => {
      await Promise.resolve();
      return ++looked;
    };
    const both = Promise.all([arrivals.after('a', 1000, look), arrivals.after('a', 1000, look)]);
    await arrivals.imported('b');
    expect(looked).toBe(0);
    await arrivals.imported('a');
    expect(looked).toBe(2);
    expect(await both).toEqual([1, 2]);
    expect(queued()).toBe(0);
    await arrivals.imported('a');
    expect(looked).toBe(2);
  });

  it('returns undefined after the timeout, and rejects its caller when the look fails', async () => {
    const { arrivals, clock } = open();
    expect(await arrivals.after('a', 0, async () => 1)).toBeUndefined();
    const late = arrivals.after('a', 500, async () => 1);
    clock.advance(500);
    expect(await late).toBeUndefined();
    const failing = arrivals.after('a', 500, () => Promise.reject(new Error('no state')));
    const told = expect(failing).rejects.toThrow('no state');
    await arrivals.imported('a');
    await told;
  });
});
