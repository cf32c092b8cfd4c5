import { describe, expect, it } from '@jest/globals';
import { SlowRefusals } from './slow-refusals.js';

const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

describe('refusals', () => {
  it('are sent at once for the first ones in a second, and delayed for a client that continues', async () => {
    let now = 0;
    const held: (() => void)[] = [];
    const times: number[] = [];
    const refusals = new SlowRefusals(
      () => now,
      (ms) => {
        times.push(ms);
        return new Promise((resolve) => held.push(resolve));
      },
    );
    const told = { busy: 0, other: 0 };
    const refuse = (client: 'busy' | 'other', times: number): void => {
      for (let i = 0; i < times; i++) void refusals.holdBack(client).then(() => (told[client] += 1));
    };
    refuse('busy', 60);
    refuse('other', 3);
    await turns();
    expect([told, held.length]).toEqual([{ busy: 50, other: 3 }, 10]);
    // One after the other, not all together.
    expect(times).toEqual(Array.from({ length: 10 }, (_, index) => 1_000 + 10 * index));
    now = 1_000;
    refuse('busy', 51);
    await turns();
    expect(told.busy).toBe(100);
    expect(times.slice(10)).toEqual([1_000]);
    held.forEach((release) => release());
    await turns();
    expect(told.busy).toBe(111);
  });

  it('are delayed up to a bound', async () => {
    let held = 0;
    const refusals = new SlowRefusals(
      () => 0,
      () => new Promise(() => (held += 1)),
    );
    let told = 0;
    for (let i = 0; i < 5_000; i++) void refusals.holdBack('busy').then(() => (told += 1));
    await turns();
    expect([held, told]).toEqual([2_000, 3_000]);
  });
});
