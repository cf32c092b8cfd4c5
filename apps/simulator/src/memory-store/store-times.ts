import { yieldToEventLoop } from '@shardnode/core/lifecycle';

/** Delays of a disk. A promise that never settles is a process that was killed meanwhile. */
export interface StoreTimes {
  readonly read: () => Promise<void>;
  /** Until a write takes effect: all of it, or nothing when it is interrupted. */
  readonly write: () => Promise<void>;
  /** From there to the acknowledgement. */
  readonly acknowledge: () => Promise<void>;
  /** Called when a write has taken effect. */
  readonly written?: (what: string) => void;
}

export const immediate: StoreTimes = { read: yieldToEventLoop, write: yieldToEventLoop, acknowledge: yieldToEventLoop };
