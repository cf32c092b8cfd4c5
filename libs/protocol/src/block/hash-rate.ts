import { workOf } from './compact-target.js';

/**
 * Hashes per second of the whole network that keep the block time at this target on all chains, at least 1 (protocol 07
 * §14, 08 §3.5).
 *
 * @param target compact form; RangeError for a value of 0
 * @param blockTargetTime milliseconds
 */
export const networkHashRate = (target: number, groups: number, blockTargetTime: bigint): bigint => {
  const chains = BigInt(groups * groups);
  const rate = (workOf(target) * 1_000n * chains * chains) / blockTargetTime;
  return rate > 0n ? rate : 1n;
};
