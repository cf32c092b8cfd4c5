import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { ReadLimits } from './read-limits.js';

const open = () => {
  const clock = createStoppedClock();
  const refused: string[] = [];
  const limits = new ReadLimits({ clock, refused: (reason) => refused.push(reason) });
  return { clock, refused, limits };
};
const megabytes = 1_000_000;
const reply = async (): Promise<undefined> => undefined;
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'served',
    (error: unknown) => (error instanceof ServiceError ? [error.code, error.data['retryAfterMs']] : error),
  );

describe('limits of the requests of followers', () => {
  it('serve four at a time, and refuse the fifth at once', async () => {
    const { limits, refused } = open();
    const ends: (() => void)[] = [];
    const held = Array.from({ length: 4 }, () =>
      limits.run(
        () => new Promise<void>((resolve) => ends.push(resolve)),
        () => 0,
      ),
    );
    expect(await codeOf(limits.run(reply, () => 0))).toEqual(['TooManyRequests', 20]);
    for (const end of ends) end();
    await Promise.all(held);
    expect(await codeOf(limits.run(reply, () => 0))).toBe('served');
    expect(refused).toEqual(['at-once']);
  });

  it('count the whole duration of a request that computes', async () => {
    const { limits, clock } = open();
    const long = async (): Promise<void> => void clock.advance(700);
    expect(await codeOf(limits.runLong(long))).toBe('served');
    const [code, pause] = (await codeOf(limits.runLong(long))) as [string, number];
    expect([code, pause > 1_000]).toEqual(['TooManyRequests', true]);
    clock.advance(pause);
    expect(await codeOf(limits.runLong(long))).toBe('served');
  });

  it('give a tenth of a core on average', async () => {
    const { limits, clock } = open();
    let served = 0;
    const seconds = 60;
    for (let at = 0; at < seconds * 1_000; at += 10) {
      if ((await codeOf(limits.run(reply, () => megabytes))) === 'served') served++;
      clock.advance(10);
    }
    // 50 ms for a megabyte, and the burst.
    const used = served * 50.3;
    expect(used).toBeGreaterThan(seconds * 100);
    expect(used).toBeLessThan(seconds * 100 + 600);
  });

  it('tell when the next one is served', async () => {
    const { limits, clock } = open();
    await limits.run(reply, () => 50 * megabytes);
    const [code, retryAfterMs] = (await codeOf(limits.run(reply, () => 0))) as [string, number];
    expect(code).toBe('TooManyRequests');
    clock.advance(retryAfterMs - 2);
    expect(await codeOf(limits.run(reply, () => 0))).toEqual(['TooManyRequests', expect.any(Number)]);
    clock.advance(2);
    expect(await codeOf(limits.run(reply, () => 0))).toBe('served');
  });
});
