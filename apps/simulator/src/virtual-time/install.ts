import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type VirtualTime } from './virtual-time.js';

interface Handle {
  cancel(): void;
  unref(): Handle;
  ref(): Handle;
  hasRef(): boolean;
  refresh(): Handle;
  [Symbol.toPrimitive](): number;
}

type Action = (...args: unknown[]) => void;

const require = createRequire(import.meta.url);

const handleOf = (cancel: () => void): Handle => {
  const handle: Handle = {
    cancel,
    unref: () => handle,
    ref: () => handle,
    hasRef: () => true,
    refresh: () => handle,
    [Symbol.toPrimitive]: () => 0,
  };
  return handle;
};

const cancelHandle = (handle: Handle | undefined): void => {
  if (typeof handle?.cancel === 'function') handle.cancel();
};

/** Replacements of the global timers in virtual time. */
const timersOn = (time: VirtualTime) => ({
  setTimeout: (action: Action, milliseconds = 0, ...args: unknown[]) =>
    handleOf(time.after(milliseconds, () => action(...args)).cancel),
  setInterval: (action: Action, milliseconds = 0, ...args: unknown[]) => {
    let next: { cancel(): void };
    const begin = (): void => {
      next = time.after(Math.max(1, milliseconds), () => {
        begin();
        action(...args);
      });
    };
    begin();
    return handleOf(() => next.cancel());
  },
  setImmediate: (action: Action, ...args: unknown[]) => handleOf(time.immediately(() => action(...args)).cancel),
  clearTimeout: cancelHandle,
  clearInterval: cancelHandle,
  clearImmediate: cancelHandle,
});

/** Replaces properties; returns a function that restores them. */
const replace = (target: object, replacements: object): (() => void) => {
  const before = Object.entries(replacements).map(([name, value]: [string, unknown]) => {
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
    return () => {
      if (own) Object.defineProperty(target, name, own);
      else delete (target as Record<string, unknown>)[name];
    };
  });
  return () => before.forEach((putBack) => putBack());
};

/** A thread has its own time, so a simulation must not start one. */
class NoWorker {
  constructor() {
    throw new Error('a worker thread was begun in a simulation: its answers would come at another time in every run');
  }
}

/**
 * Replaces the timers, clocks and random numbers of this process by those of the simulation, for code that does not
 * take them as ports, above all `setImmediate` of yields. Returns a function that restores them.
 * @param randomBytes so many bytes, from the seed
 */
export const installTime = (time: VirtualTime, randomBytes: (length: number) => Uint8Array): (() => void) => {
  const timers = timersOn(time);
  const fill = (target: Uint8Array): Uint8Array => {
    target.set(randomBytes(target.length));
    return target;
  };
  const putBack = [
    replace(globalThis, timers),
    replace(Date, { now: () => time.wallClock }),
    replace(performance, { now: () => time.now }),
    replace(require('node:timers/promises') as object, {
      setTimeout: (milliseconds: number, value: unknown) => time.sleep(milliseconds).then(() => value),
      setImmediate: (value: unknown) => new Promise((resolve) => void time.immediately(() => resolve(value))),
    }),
    replace(require('node:crypto') as object, {
      randomBytes: (length: number) => Buffer.from(randomBytes(length)),
      randomFillSync: fill,
    }),
    replace(require('node:worker_threads') as object, { Worker: NoWorker }),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const undo of putBack.reverse()) undo();
    syncBuiltinESMExports();
  };
};
