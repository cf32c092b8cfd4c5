import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { effect, signal } from '@preact/signals';
import { calm } from './calm.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('shows a change after a pause at once, of many changes four a second, and the last of them', () => {
  const source = signal(0);
  const followed = calm(source);
  const seen: number[] = [];
  effect(() => void seen.push(followed.value));
  jest.advanceTimersByTime(1_000);
  for (let i = 1; i <= 100; i++) {
    source.value = i;
    jest.advanceTimersByTime(10);
  }
  expect(seen).toEqual([0, 1, 25, 50, 75, 100]);
  jest.advanceTimersByTime(1_000);
  source.value = 101;
  expect(seen.at(-1)).toBe(101);
});
