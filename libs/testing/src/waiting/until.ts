import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks. */
const everyMs = 10;

/**
 * Waits for a condition, never for a while. Throws an Error that names it after `withinMs` milliseconds, by default before
 * the 60 s of a test are over; what the condition itself throws goes on.
 */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 50_000,
): Promise<void> => {
  const limit = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`waited ${withinMs / 1_000} s for: ${what}`);
    await pause(everyMs);
  }
};
