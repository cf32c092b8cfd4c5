import { describe, expect, it } from '@jest/globals';
import { BodyBudget } from './body-budget.js';

describe('the budget of bodies being read', () => {
  const create = () => new BodyBudget({ inAll: 100, ofOne: 60 });

  it('is not available to one client as a whole, and is returned', () => {
    const budget = create();
    budget.take('a', 60);
    expect(() => budget.take('a', 1)).toThrow(expect.objectContaining({ kind: 'throttled', code: 'TooManyRequests' }));
    budget.take('b', 40);
    budget.giveBack('a', 60);
    budget.take('a', 60);
    expect(budget.held).toBe(100);
  });

  it('bounds all clients together', () => {
    const budget = create();
    for (const client of ['a', 'b', 'c', 'd']) budget.take(client, 25);
    expect(() => budget.take('e', 1)).toThrow(
      expect.objectContaining({
        kind: 'unavailable',
        code: 'ServerBusy',
        data: { retryAfterSeconds: expect.any(Number) },
      }),
    );
    budget.giveBack('a', 25);
    budget.take('e', 25);
    for (const client of ['b', 'c', 'd', 'e']) budget.giveBack(client, 25);
    expect(budget.held).toBe(0);
  });

  it('bounds the rate and the burst of one client independently of others', () => {
    let now = 0;
    const budget = new BodyBudget({ inAll: 100, ofOne: 60, atOnce: 50, inSecond: 100 }, () => now);
    expect([50, 10, 20].map((bytes) => budget.pauseAfter('a', bytes))).toEqual([0, 100, 300]);
    expect(budget.pauseAfter('b', 50)).toBe(0);
    now = 300;
    expect(budget.pauseAfter('a', 1)).toBe(10);
    now = 10_000;
    expect([50, 10].map((bytes) => budget.pauseAfter('a', bytes))).toEqual([0, 100]);
  });
});
