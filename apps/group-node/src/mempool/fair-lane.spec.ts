import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { FairLane } from './fair-lane.js';

const open = (limits = {}) => {
  const clock = createStoppedClock();
  const lane = new FairLane({ maxWaiting: 100, maxWaitMs: 2_000, rest: 9, ...limits }, clock);
  const begun: string[] = [];
  /** A task of so many milliseconds. */
  const add = (client: string, name: string, milliseconds = 1) =>
    lane.run(client, async () => {
      begun.push(name);
      clock.advance(milliseconds);
      return name;
    });
  return { clock, lane, begun, add };
};
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const codeOf = (error: unknown) => (error instanceof ServiceError ? [error.code, error.data] : error);
const refusal = ['TooManyRuns', { retryAfterSeconds: 1 }];

describe('fair lane', () => {
  it('runs one task at a time, of each client in rotation', async () => {
    const { add, begun } = open();
    const all = [1, 2, 3, 4].map((i) => add('many', `many ${i}`));
    all.push(add('few', 'few 1'), add('few', 'few 2'), add('one', 'one'));
    await Promise.all(all);
    expect(begun).toEqual(['many 1', 'many 2', 'few 1', 'one', 'many 3', 'few 2', 'many 4']);
  });

  it('begins nothing for a multiple of the time of a failed task, a second at most', async () => {
    const { add, begun, lane, clock } = open();
    await add('one', 'failing', 50);
    lane.rest(50);
    const next = add('two', 'next');
    clock.advance(449);
    await settled();
    expect(begun).toEqual(['failing']);
    clock.advance(1);
    await next;
    lane.rest(10_000);
    const last = add('two', 'last');
    clock.advance(1_000);
    expect(await last).toBe('last');
  });

  it('refuses a task that has waited too long, and of too many the newest of the client with the most', async () => {
    const { add, begun, lane, clock } = open({ maxWaiting: 3 });
    lane.rest(100);
    const many = [1, 2, 3].map((i) => add('many', `many ${i}`).catch(codeOf));
    const one = add('one', 'one');
    expect(await many[2]).toEqual(refusal);
    clock.advance(900);
    expect(await one).toBe('one');
    await Promise.all(many);
    expect(begun).toEqual(['many 1', 'one', 'many 2']);
    const slow = lane.run('one', async () => {
      await settled();
      clock.advance(2_001);
    });
    const late = add('two', 'late').catch(codeOf);
    await slow;
    expect([await late, await add('two', 'next')]).toEqual([refusal, 'next']);
    expect(begun).toEqual(['many 1', 'one', 'many 2', 'next']);
  });

  it('lets other work of the process run after a task of more than 4 ms', async () => {
    const { add, begun } = open();
    setImmediate(() => void begun.push('other work'));
    await Promise.all([add('one', 'of 4 ms', 4), add('one', 'of 5 ms', 5), add('one', 'next')]);
    expect(begun).toEqual(['of 4 ms', 'of 5 ms', 'other work', 'next']);
  });

  it('goes on after a task that fails', async () => {
    const { add, lane } = open();
    const failing = lane.run('one', () => Promise.reject(new Error('a task that fails')));
    const next = add('one', 'next');
    await expect(failing).rejects.toThrow('a task that fails');
    expect(await next).toBe('next');
  });

  it('rejects pending and later tasks when aborted, and leaves no timer', async () => {
    const { add, lane, clock } = open();
    lane.rest(100);
    const pending = add('one', 'pending');
    lane.abort(new Error('over'));
    await expect(pending).rejects.toThrow('over');
    await expect(add('one', 'later')).rejects.toThrow('over');
    expect(clock.pendingTimers).toBe(0);
  });
});
