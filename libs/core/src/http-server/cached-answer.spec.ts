import { describe, expect, it } from '@jest/globals';
import { cachedAnswer } from './cached-answer.js';

describe('a cached response', () => {
  it('is computed once for all callers within its lifetime, then again', async () => {
    let [now, made] = [0, 0];
    let finish: (() => void) | undefined;
    const make = (): Promise<number> => {
      made += 1;
      const answer = made;
      return new Promise((resolve) => (finish = () => resolve(answer)));
    };
    const ask = cachedAnswer(make, { ttlMs: (answer) => answer * 100, now: () => now });
    const first = Array.from({ length: 1_000 }, ask);
    now = 5_000;
    first.push(ask());
    finish!();
    expect(new Set(await Promise.all(first))).toEqual(new Set([1]));
    now = 5_099;
    expect([await ask(), made]).toEqual([1, 1]);
    now = 5_100;
    const second = ask();
    finish!();
    expect(await second).toBe(2);
    // The second one is valid for longer.
    now = 5_299;
    expect([await ask(), made]).toEqual([2, 2]);
  });

  it('that fails rejects its waiting callers, and is computed again for the next', async () => {
    let made = 0;
    const ask = cachedAnswer(
      async () => {
        made += 1;
        if (made === 1) throw new Error('not this time');
        return made;
      },
      { ttlMs: () => 100 },
    );
    expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask()).toBe(2);
  });
});
