/** A pending timer; cancelling one that has fired does nothing. */
export interface Timer {
  cancel(): void;
}

/** The only source of time of a service (architecture, decision 14). */
export abstract class Clock {
  /** Wall clock, milliseconds since 1970; may jump. For timestamps. */
  abstract readonly now: () => number;
  /** Milliseconds from an arbitrary start, with fractions; never goes back. For durations. */
  abstract readonly monotonic: () => number;
  /** Calls `action` once after at least `milliseconds`. */
  abstract readonly after: (milliseconds: number, action: () => void) => Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, action) => {
    const handle = setTimeout(action, milliseconds);
    return { cancel: () => clearTimeout(handle) };
  },
};

export const sleep = (clock: Clock, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
