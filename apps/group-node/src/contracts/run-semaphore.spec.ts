import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { runSemaphore } from './run-semaphore.js';

const open = (now = { value: 0 }) => ({
  now,
  semaphore: runSemaphore({ permits: 2, maxWaiting: 2, maxWaitMs: 100 }, { monotonic: () => now.value }),
});

/** A run that ends on command. */
const held = () => {
  let end = (): void => undefined;
  const run = () => new Promise<string>((resolve) => (end = () => resolve('made')));
  return { run, end: () => end() };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));
const codeOf = (error: unknown) => (error instanceof ServiceError ? [error.code, error.data] : error);

describe('semaphore of runs', () => {
  it('admits some at once, in order of arrival', async () => {
    const { semaphore } = open();
    const runs = Array.from({ length: 4 }, held);
    const begun: number[] = [];
    const made = runs.map(({ run }, i) =>
      semaphore.run(() => {
        begun.push(i);
        return run();
      }),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    runs[1]!.end();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    for (let i = 0; i < 4; i++) {
      runs.forEach(({ end }) => end());
      await settled();
    }
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(await Promise.all(made)).toEqual(['made', 'made', 'made', 'made']);
  });

  it('refuses one above the limit with a time to retry, and a failed run releases its permit', async () => {
    const { semaphore } = open();
    const first = held();
    const failing = semaphore.run(async () => {
      await first.run();
      throw new Error('a run that fails');
    });
    const others = Array.from({ length: 3 }, held);
    const waiting = others.map(({ run }) => semaphore.run(run));
    const refused: unknown = await semaphore.run(held().run).catch((error: unknown) => error);
    expect(codeOf(refused)).toEqual(['TooManyRuns', { retryAfterSeconds: 1 }]);
    first.end();
    await expect(failing).rejects.toThrow('a run that fails');
    for (let i = 0; i < 3; i++) {
      others.forEach(({ end }) => end());
      await settled();
    }
    expect(await Promise.all(waiting)).toEqual(['made', 'made', 'made']);
  });

  it('does not run a caller that has waited too long, and does not delay others for it', async () => {
    const { now, semaphore } = open();
    const runs = [held(), held()];
    const made = runs.map(({ run }) => semaphore.run(run));
    let isRun = false;
    const late = semaphore.run(async () => void (isRun = true)).catch((error: unknown) => error);
    now.value = 101;
    const inTime = semaphore.run(async () => 'in time');
    runs.forEach(({ end }) => end());
    expect(codeOf(await late)).toEqual(['TooManyRuns', { retryAfterSeconds: 1 }]);
    expect([isRun, await inTime, ...(await Promise.all(made))]).toEqual([false, 'in time', 'made', 'made']);
  });
});
