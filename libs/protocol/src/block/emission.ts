import { bitLength } from '../encoding/index.js';
import { type NetworkSettings } from '../network/index.js';
import { oneCoin } from '../primitives/index.js';
import { compactTarget, workOf } from './compact-target.js';
import { launchTimestamp } from './time.js';

const cent = 10n ** 16n;
const millisecondsPerYear = 365n * 86_400_000n;
const yearsToStable = 4n;
const yearsToZero = 82n;

/** The numbers of the reward schedule of one network (protocol 02 §12.1); amounts in attoCoin, times in milliseconds. */
export interface RewardSchedule {
  readonly initialMaximum: bigint;
  readonly stableMaximum: bigint;
  readonly lowHashRateReward: bigint;
  readonly blocksPerYear: bigint;
  readonly timeToStable: bigint;
  readonly timeToZero: bigint;
  /** The time after which the maximum drops by one cent. */
  readonly timePerCent: bigint;
}

/** All of the schedule follows from the number of chains and the block target time (protocol 02 §12.1). */
export const rewardSchedule = (settings: NetworkSettings): RewardSchedule => {
  const chains = BigInt(settings.groups ** 2);
  const initialMaximum = (60n * oneCoin) / chains;
  const stableMaximum = (20n * oneCoin) / chains;
  const blocksPerYear = millisecondsPerYear / settings.blockTargetTime;
  const centsPerYear = (initialMaximum - stableMaximum) / cent / yearsToStable;
  return {
    initialMaximum,
    stableMaximum,
    lowHashRateReward: (30n * oneCoin) / chains,
    blocksPerYear,
    timeToStable: yearsToStable * blocksPerYear * settings.blockTargetTime,
    timeToZero: yearsToZero * blocksPerYear * settings.blockTargetTime,
    timePerCent: (blocksPerYear / centsPerYear) * settings.blockTargetTime,
  };
};

/**
 * One factor is the number of chains. The other one is the same number, because only one hash in that many lands on the
 * wanted chain (protocol 03 §9.4).
 */
const hashesPerDifficulty = (settings: NetworkSettings): bigint => 1000n * BigInt(settings.groups ** 4);

/** Hashes per second of the whole network at a target, at least 1 (protocol 02 §12.2, 03 §9.4). Not for value 0. */
export const hashRateOf = (settings: NetworkSettings, target: number): bigint => {
  const rate = (workOf(target) * hashesPerDifficulty(settings)) / settings.blockTargetTime;
  return rate > 0n ? rate : 1n;
};

/** The target that corresponds to a network hash rate of `hashRate` hashes per second (protocol 03 §9.4). */
export const targetOfHashRate = (settings: NetworkSettings, hashRate: bigint): number => {
  const difficulty = (hashRate * settings.blockTargetTime) / hashesPerDifficulty(settings);
  return compactTarget(difficulty <= 1n ? (1n << 256n) - 1n : (1n << 256n) / difficulty);
};

/** The hardest target that has a reward, 2^60 hashes per second; harder ones are invalid (protocol 02 §12.2 point 4). */
export const rewardLimitTarget = (settings: NetworkSettings): number => targetOfHashRate(settings, 1n << 60n);

/** protocol 02 §12.2 point 1; attoCoin. `timestamp` is at least the launch timestamp. */
export const rewardByTime = (settings: NetworkSettings, timestamp: bigint): bigint => {
  const schedule = rewardSchedule(settings);
  const elapsed = timestamp - launchTimestamp;
  if (elapsed >= schedule.timeToZero) return 0n;
  if (elapsed >= schedule.timeToStable) return schedule.stableMaximum;
  return schedule.initialMaximum - cent * (elapsed / schedule.timePerCent);
};

/** Between powers of two the reward changes along a line; bigint division truncates toward zero, as required. */
const onSegment = (rate: bigint, fromRank: bigint, toRank: bigint, start: bigint, gap: bigint): bigint => {
  const rank = BigInt(bitLength(rate)) - 1n;
  const step = gap / (toRank - fromRank);
  const unit = 1n << rank;
  return start + (gap * (rank - fromRank)) / (toRank - fromRank) + (step * (rate % unit)) / unit;
};

/** protocol 02 §12.2 point 2; attoCoin for a hash rate of at least 1 hash per second. */
export const rewardByHashRate = (settings: NetworkSettings, rate: bigint): bigint => {
  const { initialMaximum, stableMaximum, lowHashRateReward } = rewardSchedule(settings);
  if (rate < 1n << 50n) {
    const reward = onSegment(rate, 0n, 50n, 0n, initialMaximum);
    return reward > lowHashRateReward ? reward : lowHashRateReward;
  }
  if (rate < 1n << 60n) return onSegment(rate, 50n, 60n, initialMaximum, stableMaximum - initialMaximum);
  if (rate < 1n << 67n) return onSegment(rate, 60n, 67n, stableMaximum, -stableMaximum);
  return 0n;
};

/** The reward in the coinbase of a block, in attoCoin; fees are burned (protocol 02 §12.2, §12.3; 03 §10.2). */
export const blockReward = (settings: NetworkSettings, target: number, timestamp: bigint): bigint => {
  const byTime = rewardByTime(settings, timestamp);
  const byHashRate = rewardByHashRate(settings, hashRateOf(settings, target));
  return byTime < byHashRate ? byTime : byHashRate;
};
