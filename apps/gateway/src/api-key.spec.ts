import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { createApiKeyCheck, createApiKeyPass, createApiKeyTest } from './api-key.js';

const [first, next] = ['a'.repeat(32), 'b'.repeat(40)];

it('a key that its file replaces is wrong a second later, and the new one is right', async () => {
  let key: string | undefined = first;
  const read = (): string | undefined => key;
  const [isRight, check, mayPass] = [createApiKeyTest(read), createApiKeyCheck(read), createApiKeyPass(read)];
  expect([isRight(first), isRight(next), mayPass(first), mayPass(undefined)]).toEqual([true, false, true, false]);
  key = next;
  await pause(1_010);
  expect([isRight(first), isRight(next), mayPass(first), mayPass(next)]).toEqual([false, true, false, true]);
  expect(() => check(first)).toThrow('Wrong api key');
  expect(() => check(undefined)).toThrow('Missing api key');
  check(next);
  // What is too short for a key opens nothing.
  key = 'short';
  await pause(1_010);
  expect([isRight('short'), isRight(next)]).toEqual([false, false]);
});
