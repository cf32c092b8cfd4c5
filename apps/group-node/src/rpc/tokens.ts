/** Injection token of `NodeReads`, which is no class. */
export const READS = Symbol('reads of the group-node');

/** `BuilderReads` */
export const BUILDER_READS = Symbol('reads of builders');

/** Imports and stores everything pending. */
export type Settle = () => Promise<void>;
export const SETTLE = Symbol('settle');

/** `() => Promise<ServiceHealth>` */
export const HEALTH = Symbol('health of this service');

/** Facts of the network for the feed, and the limit of the bus. */
export interface FeedSettings {
  readonly coinSymbol: string;
  /** Bytes. */
  readonly longestMessage: () => number;
}
export const FEED_SETTINGS = Symbol('settings of the feed');
