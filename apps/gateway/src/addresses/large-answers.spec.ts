import { expect, it } from '@jest/globals';
import { largeAnswers } from './large-answers.js';

it('a few large responses are built at once, a few wait in order, and the next is refused with a time to retry', async () => {
  const large = largeAnswers({ permits: 2, maxWaiting: 2 });
  const [first, second] = [await large.acquire(), await large.acquire()];
  const entered: string[] = [];
  const waiting = ['third', 'fourth'].map(async (name) => {
    const leave = await large.acquire();
    entered.push(name);
    return leave;
  });
  await expect(large.acquire()).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'ServerBusy',
    data: { retryAfterSeconds: 5 },
  });
  expect(entered).toEqual([]);
  first();
  first();
  const third = await waiting[0]!;
  expect(entered).toEqual(['third']);
  second();
  third();
  const fourth = await waiting[1]!;
  fourth();
  const again = [await large.acquire(), await large.acquire()];
  for (const leave of again) leave();
});
