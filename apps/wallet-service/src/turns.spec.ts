import { describe, expect, it } from '@jest/globals';
import { turnsByKey } from './turns.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('one key: one after another in the order of the calls', async () => {
    const inTurn = turnsByKey();
    const seen: string[] = [];
    const task = (name: string) => async () => {
      seen.push(`${name} begins`);
      await nextTurn();
      seen.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([inTurn('a', task('1')), inTurn('a', task('2'))])).toEqual(['1', '2']);
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });

  it('two keys: side by side', async () => {
    const inTurn = turnsByKey();
    let finishFirst: () => void = () => undefined;
    const first = inTurn('a', () => new Promise<void>((resolve) => (finishFirst = resolve)));
    await inTurn('b', async () => undefined);
    finishFirst();
    await first;
  });

  it('a failure is for its caller alone', async () => {
    const inTurn = turnsByKey();
    const failing = inTurn('a', () => Promise.reject(new Error('no')));
    const following = inTurn('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await following).toBe('yes');
  });
});
