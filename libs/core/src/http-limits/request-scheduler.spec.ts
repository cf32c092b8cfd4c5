import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { yieldToEventLoop } from '../lifecycle/index.js';
import { RequestScheduler } from './request-scheduler.js';

const share = { inFlight: 4, perTick: 2, loopShare: 0.5, cheapMs: 1, burstMs: 5, mostDebtMs: 100, othersMs: 1_000 };

describe('requests of clients', () => {
  let now: number;
  let worked: number;
  let scheduler: RequestScheduler;
  let begun: string[];
  beforeEach(() => {
    [now, worked, begun] = [0, 0, []];
    scheduler = new RequestScheduler(share, { now: () => now, worked: () => worked });
  });

  // What waits begins.
  afterEach(async () => {
    pass(10_000);
    await pause(20);
  });

  const begin = (client: string, count = 1): void => {
    for (let i = 0; i < count; i++) scheduler.begin(client, () => begun.push(client));
  };
  const begunOf = (client: string): number => begun.filter((each) => each === client).length;
  /** Time that passes, and how much of it the event loop works. */
  const pass = (ms: number, work = 0): void => {
    now += ms;
    worked += work;
  };

  it('a client that is alone has no bound', () => {
    begin('a', 50);
    expect(begunOf('a')).toBe(50);
  });

  it('beside another one it has few requests in flight, few of them begun in a tick, in their order', async () => {
    begin('b');
    const order: number[] = [];
    for (let i = 0; i < 10; i++) scheduler.begin('a', () => order.push(i));
    expect(order).toEqual([0, 1]);
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(order).toEqual([0, 1, 2, 3]);
    await yieldToEventLoop();
    expect(order).toHaveLength(4);
    scheduler.end('a');
    expect(order).toEqual([0, 1, 2, 3, 4]);
    // The other one waits for nobody.
    begin('b');
    expect(begunOf('b')).toBe(2);
  });

  it('beside another one it begins few in a tick, even if they end at once', async () => {
    begin('b');
    for (let i = 0; i < 2; i++) {
      begin('a');
      scheduler.end('a');
    }
    begin('a');
    expect(begunOf('a')).toBe(2);
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(begunOf('a')).toBe(3);
  });

  it('has no bound again when the others have been away for a while', async () => {
    begin('b');
    scheduler.end('b');
    begin('a', 10);
    expect(begunOf('a')).toBe(2);
    pass(1_001);
    scheduler.end('a');
    expect(begunOf('a')).toBe(10);
  });

  it('pauses after work of the event loop beyond its share, and no longer than for the largest debt', () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    try {
      begin('b');
      scheduler.end('b');
      begin('a');
      pass(20, 20);
      scheduler.end('a');
      // Of 20 ms of work 10 are its share, one is for free, 5 may be owed: 4 ms are paid back in 8.
      begin('a');
      expect(begunOf('a')).toBe(1);
      begin('b');
      expect(begunOf('b')).toBe(2);
      scheduler.end('b');
      pass(8);
      jest.advanceTimersByTime(8);
      expect(begunOf('a')).toBe(2);
      pass(500, 500);
      scheduler.end('a');
      begin('a');
      pass(200);
      jest.advanceTimersByTime(200);
      expect(begunOf('a')).toBe(3);
    } finally {
      jest.useRealTimers();
    }
  });

  it('remembers a client while it has requests or owes, and until the end of the tick', async () => {
    begin('b');
    begin('a');
    scheduler.end('b');
    expect(scheduler.clientCount).toBe(2);
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(scheduler.clientCount).toBe(1);
    pass(20, 20);
    scheduler.end('a');
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(scheduler.clientCount).toBe(1);
    pass(100);
    await pause(40);
    expect(scheduler.clientCount).toBe(0);
  });

  it('is known again when all of its requests have ended before it came back', async () => {
    begin('b');
    scheduler.end('b');
    begin('a', 3);
    scheduler.end('a');
    scheduler.end('a');
    scheduler.end('a');
    begin('a');
    await pause(5);
    expect(() => scheduler.end('a')).not.toThrow();
    expect(begunOf('a')).toBe(4);
  });

  it('patient requests take no place of others', async () => {
    begin('b');
    const order: string[] = [];
    for (let i = 0; i < 6; i++) scheduler.begin('a', () => order.push('patient'), true);
    for (let i = 0; i < 6; i++) scheduler.begin('a', () => order.push('other'));
    for (let tick = 0; tick < 12; tick++) await yieldToEventLoop();
    expect(order.filter((each) => each === 'patient')).toHaveLength(6);
    expect(order.filter((each) => each === 'other')).toHaveLength(4);
    scheduler.end('a', true);
    expect(order).toHaveLength(10);
    scheduler.end('a');
    expect(order).toHaveLength(11);
  });

  it('work counts for the clients in flight, in proportion to their requests', () => {
    begin('b');
    begin('a');
    begin('a');
    pass(39, 39);
    scheduler.end('b');
    begin('b');
    // A third of 39 ms is less than its share of them.
    expect(begunOf('b')).toBe(2);
    scheduler.end('a');
    begin('a');
    // Two thirds of 39 ms, less its share of 19.5 and one for free: 5.5 ms.
    expect(begunOf('a')).toBe(2);
  });
});
