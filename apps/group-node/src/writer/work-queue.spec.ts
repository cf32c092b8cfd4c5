import { describe, expect, it } from '@jest/globals';
import { WorkQueue } from './work-queue.js';

const queueOf = (capacity: number): WorkQueue =>
  new WorkQueue({ group: 2, capacity, now: () => 0, yieldTick: () => Promise.resolve() });
const gate = (): { readonly promise: Promise<void>; readonly open: () => void } => {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
};

/** The queue starts a task in a later event-loop tick than that of the caller. */
const begun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work queue', () => {
  it('runs one task at a time in order', async () => {
    const queue = queueOf(10);
    const seen: string[] = [];
    const first = gate();
    const a = queue.run('a', async () => {
      await first.promise;
      seen.push('a');
    });
    await begun();
    const b = queue.run('b', () => seen.push('b'));
    expect(queue.length).toBe(1);
    first.open();
    await Promise.all([a, b]);
    expect(seen).toEqual(['a', 'b']);
  });

  it('refuses tasks with a bound of delay while the next one has waited too long, and accepts them again later', async () => {
    let now = 0;
    const queue = new WorkQueue({ group: 2, capacity: 10, now: () => now, yieldTick: () => Promise.resolve() });
    const first = gate();
    const running = queue.run('a', () => first.promise);
    await begun();
    const next = queue.run('b', () => 'b');
    now = 100;
    const inTime = queue.run('c', () => 'c', { longestDelay: 100 });
    now = 101;
    expect(queue.delay).toBe(101);
    await expect(queue.run('d', () => 'd', { longestDelay: 100 })).rejects.toMatchObject({
      code: 'QueueFull',
      data: { group: 2, retryAfterSeconds: 1 },
    });
    now = 2_001;
    await expect(queue.run('d', () => 'd', { longestDelay: 100 })).rejects.toMatchObject({
      detail: expect.stringMatching(/ask again in 3 s$/),
      data: { retryAfterSeconds: 3 },
    });
    now = 150;
    // Blocks are not refused: their senders would only send them again.
    const patient = queue.run('e', () => 'e');
    first.open();
    await running;
    expect(await Promise.all([next, inTime, patient])).toEqual(['b', 'c', 'e']);
    expect(await queue.run('f', () => 'f', { longestDelay: 100 })).toBe('f');
  });

  it('refuses a task that has waited too long before it begins', async () => {
    let now = 0;
    const queue = new WorkQueue({ group: 2, capacity: 10, now: () => now, yieldTick: () => Promise.resolve() });
    const first = gate();
    const running = queue.run('a', () => first.promise);
    await begun();
    const seen: string[] = [];
    const late = queue.run('b', () => seen.push('b'), { longestDelay: 100 });
    const patient = queue.run('c', () => seen.push('c'), { longestDelay: 200 });
    now = 101;
    first.open();
    await running;
    await expect(late).rejects.toMatchObject({ code: 'QueueFull', data: { group: 2, retryAfterSeconds: 1 } });
    await patient;
    expect(seen).toEqual(['c']);
  });

  it('runs background tasks when nothing is pending, or after a second', async () => {
    let now = 0;
    const queue = new WorkQueue({ group: 2, capacity: 10, now: () => now, yieldTick: () => Promise.resolve() });
    const seen: string[] = [];
    const first = gate();
    const tasks = [
      queue.run('a', () => first.promise),
      queue.runInBackground('x', () => seen.push('x')),
      queue.run('b', () => seen.push('b')),
      queue.run('c', () => seen.push('c')),
    ];
    first.open();
    await Promise.all(tasks);
    expect(seen.splice(0)).toEqual(['b', 'c', 'x']);
    const later = [
      queue.runInBackground('x', () => seen.push('x')),
      queue.run('b', () => {
        now += 1_000;
        seen.push('b');
      }),
      queue.run('c', () => seen.push('c')),
    ];
    await Promise.all(later);
    expect(seen).toEqual(['b', 'x', 'c']);
  });

  it('runs priority tasks before earlier ones of the normal lane', async () => {
    const queue = queueOf(2);
    const seen: string[] = [];
    const first = gate();
    const running = queue.run('a', () => first.promise);
    await begun();
    const tasks = [
      queue.run('b', () => seen.push('b')),
      queue.run('c', () => seen.push('c')),
      // Each block is queued when the one on which it builds is imported.
      queue.runFirst('x', () => seen.push('x')).then(() => queue.runFirst('y', () => seen.push('y'))),
      queue.runInBackground('z', () => seen.push('z')),
    ];
    expect(queue.length).toBe(3);
    first.open();
    await Promise.all([running, ...tasks]);
    expect(seen).toEqual(['x', 'y', 'b', 'c', 'z']);
  });

  it('goes on after a task that throws', async () => {
    const queue = queueOf(10);
    await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(queue.run('b', () => 1)).resolves.toBe(1);
  });

  it('is bounded', async () => {
    const queue = queueOf(1);
    const first = gate();
    const running = queue.run('a', () => first.promise);
    await begun();
    const waiting = queue.run('b', () => 2);
    await expect(queue.run('c', () => 3)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'QueueFull',
      detail: expect.stringContaining('Group 2'),
      data: { group: 2 },
    });
    // Each lane has its own bound: submits must not keep blocks out.
    const ahead = queue.runFirst('d', () => 4);
    await expect(queue.runFirst('e', () => 5)).rejects.toMatchObject({ code: 'QueueFull', data: { group: 2 } });
    first.open();
    await running;
    expect(await Promise.all([waiting, ahead])).toEqual([2, 4]);
  });

  it('abort lets the running task end and refuses the rest', async () => {
    const queue = queueOf(10);
    const first = gate();
    const running = queue.run('a', async () => {
      await first.promise;
      return 'done';
    });
    await begun();
    const messageOf = (error: Error): string => error.message;
    const waiting = Promise.all([
      queue.run('b', () => 2).catch(messageOf),
      queue.runFirst('b', () => 2).catch(messageOf),
    ]);
    const ended = queue.abort(new Error('stopping'));
    first.open();
    await ended;
    await expect(running).resolves.toBe('done');
    await expect(waiting).resolves.toEqual(['stopping', 'stopping']);
    await expect(queue.run('c', () => 3)).rejects.toThrow('stopping');
    await expect(queue.runFirst('c', () => 3)).rejects.toThrow('stopping');
  });
});
