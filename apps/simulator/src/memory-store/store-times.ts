import { yieldToEventLoop } from '@shardnode/core/lifecycle';

/** What the way to a disk takes. A promise that never ends is a process that was killed on the way. */
export interface StoreTimes {
  readonly read: () => Promise<void>;
  /** Until what is written takes effect: all of it, or nothing when it is cut short. */
  readonly write: () => Promise<void>;
  /** From there to the answer. */
  readonly acknowledge: () => Promise<void>;
  /** A write has taken effect. */
  readonly written?: (what: string) => void;
}

export const immediate: StoreTimes = { read: yieldToEventLoop, write: yieldToEventLoop, acknowledge: yieldToEventLoop };
