import { readFileSync } from 'node:fs';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';

/** Milliseconds of the monotonic clock for which a read value is cached. */
const believedFor = 100;

/** Whole milliseconds; 0 for a file that is missing, empty or no number, as while it is being written. */
const readOffset = (path: string): number => {
  try {
    const offset = Number(readFileSync(path, 'utf8').trim());
    return Number.isFinite(offset) ? Math.trunc(offset) : 0;
  } catch {
    return 0;
  }
};

/**
 * A clock whose wall time is shifted by the number of milliseconds in a file, which is read repeatedly: tests set the
 * clock of a running process with it. Durations and timers stay correct.
 */
export const clockFromFile = (path: string, base: Clock = systemClock): Clock => {
  let offset = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const currentOffset = (): number => {
    const now = base.monotonic();
    if (now - readAt >= believedFor) {
      offset = readOffset(path);
      readAt = now;
    }
    return offset;
  };
  return {
    now: () => base.now() + currentOffset(),
    monotonic: () => base.monotonic(),
    after: (milliseconds, action) => base.after(milliseconds, action),
  };
};
