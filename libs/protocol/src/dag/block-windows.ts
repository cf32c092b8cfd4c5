import { type NetworkSettings } from '../network/index.js';

/** Blocks of the averaging window (protocol 03 §2.2). */
export const averagingWindow = 17;

/** Expected time span of the averaging window in milliseconds (protocol 03 §2.2). */
export const expectedWindowSpan = (settings: NetworkSettings): bigint =>
  BigInt(averagingWindow) * settings.blockTargetTime;

/** Lower bound of the time span, milliseconds (protocol 03 §2.2): 142 for blocks of 10 ms. */
export const windowSpanMinimum = (settings: NetworkSettings): bigint => (expectedWindowSpan(settings) * 84n) / 100n;

/** Upper bound of the time span, milliseconds (protocol 03 §2.2): 183 for blocks of 10 ms. */
export const windowSpanMaximum = (settings: NetworkSettings): bigint => (expectedWindowSpan(settings) * 108n) / 100n;

/** A tip this much older than a new block of its chain is dropped, milliseconds (protocol 03 §2.2, §7.3). */
export const tipPruneDuration = (settings: NetworkSettings): bigint => 200n * settings.blockTargetTime;

/** Bodies more than this many blocks below the highest tip are refused (protocol 03 §6.4). */
export const maxForkDepth = 200;
