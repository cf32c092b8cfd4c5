import { describe, expect, it } from '@jest/globals';
import { yieldToEventLoop } from '../lifecycle/index.js';
import { Portions } from './portions.js';

describe('portions of work', () => {
  it('run at once, then in order, one portion per tick and client', async () => {
    // A long event-loop tick on a busy machine has a larger portion: here no tick is long.
    const portions = new Portions(3, () => 0);
    const done: string[] = [];
    const add = (client: string, count: number): void => {
      for (let piece = 0; piece < count; piece++) portions.add(client, () => done.push(`${client}${piece}`));
    };
    add('a', 8);
    add('b', 1);
    expect(done).toEqual(['a0', 'a1', 'a2', 'b0']);
    await yieldToEventLoop();
    expect(done.slice(4)).toEqual(['a3', 'a4', 'a5']);
    // New work does not overtake pending work.
    portions.add('a', () => done.push('late'));
    portions.add('b', () => done.push('b'));
    expect(done.slice(7)).toEqual(['b']);
    await yieldToEventLoop();
    expect(done.slice(8)).toEqual(['a6', 'a7', 'late']);
    await yieldToEventLoop();
    await yieldToEventLoop();
    add('a', 4);
    expect(done.slice(11)).toEqual(['a0', 'a1', 'a2']);
  });

  it('are larger after a long tick, so that work does not wait for many long ticks', async () => {
    let now = 0;
    const portions = new Portions(3, () => now);
    let done = 0;
    for (let piece = 0; piece < 100; piece++) portions.add('a', () => (done += 1));
    now = 9;
    await yieldToEventLoop();
    expect(done).toBe(3 + 3);
    now += 45;
    await yieldToEventLoop();
    expect(done).toBe(6 + 4 * 3);
    await yieldToEventLoop();
    expect(done).toBe(18 + 3);
  });
});
