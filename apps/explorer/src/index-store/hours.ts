import { launchTimestamp } from '@shardnode/protocol/block';
import { int2Array, int4Array, int8Array, textArray } from '@shardnode/core/database';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { hourOf, nextHourOf } from '../blocks/buckets.js';
import { type IndexTransaction } from './index-transaction.js';

/** The part of a block that the counts of hours take. */
export interface CountedBlock {
  readonly chain: ChainIndex;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  readonly txCount: number;
  readonly hashRate: bigint;
}

interface ChainHour {
  readonly bucket: bigint;
  readonly chain: ChainIndex;
  blocks: number;
  txs: bigint;
}

interface RateHour {
  readonly bucket: bigint;
  blocks: number;
  total: bigint;
}

const chainHoursOf = (blocks: readonly CountedBlock[], sign: 1 | -1): ChainHour[] => {
  const hours = new Map<string, ChainHour>();
  for (const { chain, timestamp, txCount } of blocks) {
    const bucket = hourOf(timestamp);
    const key = `${bucket}/${chain.from}/${chain.to}`;
    const hour = hours.get(key) ?? { bucket, chain, blocks: 0, txs: 0n };
    hour.blocks += sign;
    hour.txs += BigInt(sign * txCount);
    hours.set(key, hour);
  }
  return [...hours.values()];
};

const rateHoursOf = (blocks: readonly CountedBlock[], sign: 1 | -1): RateHour[] => {
  const hours = new Map<bigint, RateHour>();
  for (const { timestamp, hashRate } of blocks) {
    if (timestamp < launchTimestamp) continue;
    const bucket = nextHourOf(timestamp);
    const hour = hours.get(bucket) ?? { bucket, blocks: 0, total: 0n };
    hour.blocks += sign;
    hour.total += BigInt(sign) * hashRate;
    hours.set(bucket, hour);
  }
  return [...hours.values()];
};

/**
 * Adds blocks to the counts of their hours, or takes them off (protocol 08 §4.5 step 9, §4.7 step 5). An hour without
 * blocks has no row. Hash rates count from the launch on.
 */
export const countHours = (
  transaction: IndexTransaction,
  blocks: readonly CountedBlock[],
  change: 'add' | 'subtract',
): void => {
  const sign = change === 'add' ? 1 : -1;
  const chainHours = chainHoursOf(blocks, sign);
  const chainBuckets = int8Array(chainHours.map(({ bucket }) => bucket));
  transaction.write('addChainHours', [
    chainBuckets,
    int2Array(chainHours.map(({ chain }) => chain.from)),
    int2Array(chainHours.map(({ chain }) => chain.to)),
    int4Array(chainHours.map((hour) => hour.blocks)),
    int8Array(chainHours.map(({ txs }) => txs)),
  ]);
  const rateHours = rateHoursOf(blocks, sign);
  const rateBuckets = int8Array(rateHours.map(({ bucket }) => bucket));
  transaction.write('addHashrateHours', [
    rateBuckets,
    int4Array(rateHours.map((hour) => hour.blocks)),
    textArray(rateHours.map(({ total }) => total.toString())),
  ]);
  if (change === 'add') return;
  transaction.write('deleteChainHours', [chainBuckets]);
  transaction.write('deleteHashrateHours', [rateBuckets]);
};
