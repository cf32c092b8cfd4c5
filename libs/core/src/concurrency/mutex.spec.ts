import { describe, expect, it } from '@jest/globals';
import { keyedMutex, mutex } from './mutex.js';

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a keyed mutex', () => {
  it('one key: one at a time in the order of the calls', async () => {
    const exclusive = keyedMutex();
    const seen: string[] = [];
    const task = (name: string) => async () => {
      seen.push(`${name} begins`);
      await yieldToEventLoop();
      seen.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([exclusive('a', task('1')), exclusive('a', task('2'))])).toEqual(['1', '2']);
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });

  it('two keys: concurrently', async () => {
    const exclusive = keyedMutex();
    let finishFirst: () => void = () => undefined;
    const first = exclusive('a', () => new Promise<void>((resolve) => (finishFirst = resolve)));
    await exclusive('b', async () => undefined);
    finishFirst();
    await first;
  });

  it('a failure rejects only its caller', async () => {
    const exclusive = keyedMutex();
    const failing = exclusive('a', () => Promise.reject(new Error('no')));
    const following = exclusive('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await following).toBe('yes');
  });
});

it('a mutex runs one task at a time', async () => {
  const exclusive = mutex();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} begins`);
    await yieldToEventLoop();
    seen.push(`${name} ends`);
  };
  await Promise.all([exclusive(task('1')), exclusive(task('2'))]);
  expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
});
