import { type Clock } from '@shardnode/core/lifecycle';

export interface StoppedClock extends Clock {
  /** Advances wall and monotonic time and fires due timers in order of their times. */
  advance(milliseconds: number): void;
  /** Makes the wall clock jump, as a time service does; timers and monotonic time stay. */
  setWallClock(now: number): void;
  readonly pendingTimers: number;
}

/** A clock that moves only on request, for tests. */
export const createStoppedClock = (startAt = 1_700_000_000_000): StoppedClock => {
  const timers = new Map<number, { dueAt: number; action: () => void }>();
  let elapsed = 0;
  let wallOffset = startAt;
  let lastId = 0;
  const nextDue = (limit: number): [number, { dueAt: number; action: () => void }] | undefined =>
    [...timers].filter(([, timer]) => timer.dueAt <= limit).sort((a, b) => a[1].dueAt - b[1].dueAt || a[0] - b[0])[0];
  return {
    now: () => wallOffset + Math.floor(elapsed),
    monotonic: () => elapsed,
    after: (milliseconds, action) => {
      const id = ++lastId;
      timers.set(id, { dueAt: elapsed + Math.max(0, milliseconds), action });
      return { cancel: () => void timers.delete(id) };
    },
    advance: (milliseconds) => {
      const target = elapsed + milliseconds;
      for (let due = nextDue(target); due; due = nextDue(target)) {
        timers.delete(due[0]);
        elapsed = Math.max(elapsed, due[1].dueAt);
        due[1].action();
      }
      elapsed = target;
    },
    setWallClock: (now) => {
      wallOffset = now - Math.floor(elapsed);
    },
    get pendingTimers() {
      return timers.size;
    },
  };
};
