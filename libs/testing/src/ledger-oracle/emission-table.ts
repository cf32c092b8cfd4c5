import { launchTimestamp } from './network.js';

const coin = 10n ** 18n;
const cent = 10n ** 16n;

/** The value of the four bytes of a target (protocol 03 §9.1): mantissa times 256^(size-3). */
export const valueOfTarget = (bits: number): bigint => {
  const size = bits >>> 24;
  const mantissa = BigInt(bits & 0xffffff);
  return size >= 3 ? mantissa * 256n ** BigInt(size - 3) : mantissa / 256n ** BigInt(3 - size);
};

/** Rows of protocol 02 §12.2: below 2^end the reward moves from `start` by `gap` between the two ranks. */
const rows = (first: bigint, stable: bigint) => [
  { begin: 0n, end: 50n, start: 0n, gap: first },
  { begin: 50n, end: 60n, start: first, gap: stable - first },
  { begin: 60n, end: 67n, start: stable, gap: -stable },
];

const rewardByTime = (timestamp: bigint, blockTargetTime: bigint, first: bigint, stable: bigint): bigint => {
  const age = timestamp - launchTimestamp;
  const blocksPerYear = (365n * 86_400_000n) / blockTargetTime;
  if (age >= 82n * blocksPerYear * blockTargetTime) return 0n;
  if (age >= 4n * blocksPerYear * blockTargetTime) return stable;
  const centsPerYear = (first - stable) / cent / 4n;
  return first - cent * (age / ((blocksPerYear / centsPerYear) * blockTargetTime));
};

const rewardByHashRate = (rate: bigint, first: bigint, stable: bigint, least: bigint): bigint => {
  const rank = BigInt(rate.toString(2).length - 1);
  const row = rows(first, stable).find(({ end }) => rate < 2n ** end);
  if (!row) return 0n;
  const ranks = row.end - row.begin;
  const share = ((row.gap / ranks) * (rate % 2n ** rank)) / 2n ** rank;
  const reward = row.start + (row.gap * (rank - row.begin)) / ranks + share;
  return row.begin === 0n && reward < least ? least : reward;
};

/**
 * Reward of a block's miner, in attoCoin: the smaller one of the rewards by time and by hash rate, without the fees,
 * which are burned (protocol 02 §12.1 to §12.3, 03 §10.2).
 */
export const rewardOf = (
  network: { readonly groups: number; readonly blockTargetTime: bigint },
  target: number,
  timestamp: bigint,
): bigint => {
  const chains = BigInt(network.groups * network.groups);
  const [first, stable, least] = [(60n * coin) / chains, (20n * coin) / chains, (30n * coin) / chains];
  const difficulty = 2n ** 256n / valueOfTarget(target);
  const rate = (difficulty * 1000n * chains * chains) / network.blockTargetTime;
  const byTime = rewardByTime(timestamp, network.blockTargetTime, first, stable);
  const byRate = rewardByHashRate(rate < 1n ? 1n : rate, first, stable, least);
  return byTime < byRate ? byTime : byRate;
};
