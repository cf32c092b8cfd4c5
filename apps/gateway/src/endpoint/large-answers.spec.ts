import { expect, it } from '@jest/globals';
import { LargeAnswers } from './large-answers.js';

it('a few large answers are made at once, a few wait in order, and the next is told to come back', async () => {
  const large = new LargeAnswers({ atOnce: 2, waiting: 2 });
  const [first, second] = [await large.enter(), await large.enter()];
  const entered: string[] = [];
  const waiting = ['third', 'fourth'].map(async (name) => {
    const leave = await large.enter();
    entered.push(name);
    return leave;
  });
  await expect(large.enter()).rejects.toMatchObject({
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
  const again = [await large.enter(), await large.enter()];
  for (const leave of again) leave();
});
