import { expect, it } from '@jest/globals';
import { ApiKeys, createApiKeyCheck, createApiKeyTest } from './api-keys.js';

const [first, next, third] = ['a'.repeat(32), 'b'.repeat(40), 'c'.repeat(32)];

/** Keys of a file, and a clock; tests change both. */
const open = (overlapMs?: number) => {
  const file: { key: string | undefined; time: number } = { key: first, time: 5_000 };
  const keys = new ApiKeys(() => file.key, {
    now: () => file.time,
    ...(overlapMs === undefined ? {} : { overlapMs }),
  });
  const isRight = createApiKeyTest(keys);
  const rotate = (key: string | undefined): void => {
    file.key = key;
    file.time += 1_000;
  };
  return { keys, file, isRight, rotate };
};

it('a key that its file replaces is wrong a second later, and the new one is right', () => {
  const { keys, file, isRight, rotate } = open();
  const check = createApiKeyCheck(keys);
  expect([isRight(first), isRight(next)]).toEqual([true, false]);
  file.key = next;
  file.time += 999;
  expect(isRight(first)).toBe(true);
  rotate(next);
  expect([isRight(first), isRight(next)]).toEqual([false, true]);
  expect(() => check(first)).toThrow('is not that of this API');
  expect(() => check(undefined)).toThrow('The header X-API-KEY is missing');
  check(next);
  // A text that is too short for a key opens nothing.
  rotate('short');
  expect([isRight('short'), isRight(next), isRight(first)]).toEqual([false, false, false]);
});

it('the former key stays valid for the overlap, and never two of them', () => {
  const { keys, file, isRight, rotate } = open(60_000);
  rotate(next);
  expect([isRight(first), isRight(next)]).toEqual([true, true]);
  file.time += 59_999;
  expect(isRight(first)).toBe(true);
  file.time += 1;
  expect([isRight(first), isRight(next)]).toEqual([false, true]);
  rotate(third);
  expect([isRight(first), isRight(next), isRight(third)]).toEqual([false, true, true]);
  rotate(first);
  expect([isRight(first), isRight(next), isRight(third)]).toEqual([true, false, true]);
  keys.close();
});

it('a file without a key admits no client, and the key before it is the former one of the next', () => {
  const { keys, isRight, rotate } = open(60_000);
  rotate(undefined);
  expect([isRight(first), isRight(next)]).toEqual([false, false]);
  rotate(next);
  expect([isRight(first), isRight(next)]).toEqual([true, true]);
  keys.close();
});

it('the overlap of the former key starts with the new one, also without requests', async () => {
  let key = first;
  const keys = new ApiKeys(() => key, { overlapMs: 100 });
  key = next;
  // It checks once a second by itself.
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  expect([keys.has(first), keys.has(next)]).toEqual([false, true]);
  keys.close();
});

it('a key from a text never changes', () => {
  const keys = new ApiKeys(first, { overlapMs: 60_000 });
  expect([keys.has(first), keys.has(next)]).toEqual([true, false]);
});
