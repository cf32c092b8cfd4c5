import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore.js';

const full = (): Error => new Error('full');
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore', () => {
  it('starts a task at once where a permit is free', () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 0, full });
    let isStarted = false;
    void semaphore.run(async () => void (isStarted = true));
    expect(isStarted).toBe(true);
  });

  it('gives permits in order of arrival and rejects one more than may wait', async () => {
    const semaphore = new Semaphore({ permits: 2, maxWaiting: 2, full });
    const [first, second] = [await semaphore.acquire(), await semaphore.acquire()];
    const entered: string[] = [];
    const waiting = ['third', 'fourth'].map(async (name) => {
      const release = await semaphore.acquire();
      entered.push(name);
      return release;
    });
    await expect(semaphore.acquire()).rejects.toThrow('full');
    expect(entered).toEqual([]);
    first();
    first();
    const third = await waiting[0]!;
    expect(entered).toEqual(['third']);
    second();
    third();
    const fourth = await waiting[1]!;
    fourth();
    for (const release of [await semaphore.acquire(), await semaphore.acquire()]) release();
  });

  it('passes a permit on when a task fails', async () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 1, full });
    const failing = semaphore.run(async () => {
      await settled();
      throw new Error('failed');
    });
    const next = semaphore.run(async () => 'next');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  it('leaves no moment in which a newcomer takes the permit of the next one', async () => {
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 2, full });
    const release = await semaphore.acquire();
    const order: string[] = [];
    const next = semaphore.run(async () => void order.push('next'));
    release();
    const newcomer = semaphore.run(async () => void order.push('newcomer'));
    await Promise.all([next, newcomer]);
    expect(order).toEqual(['next', 'newcomer']);
  });

  it('rejects a caller that has waited too long and serves the one behind it', async () => {
    let now = 0;
    const semaphore = new Semaphore({ permits: 1, maxWaiting: 2, maxWaitMs: 100, now: () => now, full });
    const release = await semaphore.acquire();
    const late = semaphore.run(async () => 'late').catch((error: Error) => error.message);
    now = 101;
    const inTime = semaphore.run(async () => 'in time');
    release();
    expect([await late, await inTime]).toEqual(['full', 'in time']);
  });
});
