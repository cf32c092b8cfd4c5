import { int2Array, int4Array } from '@shardnode/core/database';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { launchTimestamp } from '@shardnode/protocol/block';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { hourOf, nextHourOf } from '../blocks/buckets.js';
import { storedHeads } from '../reads/info-reads.js';
import { type Snapshot } from '../database/snapshot.js';

/** Bounds of one check of the index, so that its cost does not grow with the index (protocol 08 §4.13). */
const most = { heights: 100, rows: 1_000, transactions: 20_000, hours: 24, run: 1_000 };

/** An applied block of the sample. */
export interface SampledBlock {
  readonly chain: ChainIndex;
  readonly height: number;
  readonly hash: Hash;
}

/** Heights of a chain, one after the other; both ends are part of it. */
export interface HeightRun {
  readonly chain: ChainIndex;
  readonly low: number;
  readonly high: number;
}

/** Rows that one check of the index reads. Of an index that is not larger than the bounds it is everything. */
export interface Sample {
  readonly groups: number;
  /** Of each chain the newest heights, and others from a random one on. */
  readonly runs: readonly HeightRun[];
  /** Of random heights of each chain. */
  readonly blocks: readonly SampledBlock[];
  /** Those of `blocks` whose transactions are looked at. */
  readonly opened: readonly Hash[];
  /** Buckets of `chain_hours`, and of `hashrate_hours`. */
  readonly hours: readonly bigint[];
  readonly rateHours: readonly bigint[];
  /** Ids from 1 on; some may have no row. */
  readonly addressIds: readonly number[];
  readonly tokenIds: readonly number[];
}

/** Different whole numbers from 0 to `limit` - 1: all of them, or `count` random ones. @param random 0 to below 1 */
export const numbersBelow = (limit: number, count: number, random: () => number): number[] => {
  if (limit <= count) return Array.from({ length: Math.max(0, limit) }, (_, number) => number);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(Math.floor(random() * limit));
  return [...chosen];
};

const idsUpTo = (newest: number, random: () => number): number[] =>
  numbersBelow(newest, most.rows, random).map((number) => number + 1);

const runsOf = (chain: ChainIndex, head: number, random: () => number): HeightRun[] => {
  const newest = { chain, low: Math.max(0, head + 1 - most.run), high: head };
  if (newest.low === 0) return [newest];
  const low = Math.floor(random() * newest.low);
  return [{ chain, low, high: Math.min(low + most.run, newest.low) - 1 }, newest];
};

interface BlockRow {
  readonly chain_from: number;
  readonly chain_to: number;
  readonly height: number;
  readonly hash: Buffer;
  readonly block_timestamp: bigint;
  readonly tx_count: number;
}

/** @param random 0 to below 1 */
export const takeSample = async (snapshot: Snapshot, groups: number, random: () => number): Promise<Sample> => {
  const { schema, query } = snapshot;
  const heads = await storedHeads(snapshot);
  const places = heads.flatMap(({ chainFrom, chainTo, height }) =>
    numbersBelow(height + 1, most.heights, random).map((chosen) => ({ chainFrom, chainTo, height: chosen })),
  );
  // By their hashes: in random order.
  const rows = await query<BlockRow>(
    'verify-sample',
    `SELECT b.chain_from, b.chain_to, b.height, b.hash, b.block_timestamp, b.tx_count
     FROM unnest($1::int2[], $2::int2[], $3::int4[]) AS c (chain_from, chain_to, height)
       JOIN ${schema}.blocks b ON b.main_chain AND b.chain_from = c.chain_from AND b.chain_to = c.chain_to
         AND b.height = c.height
     ORDER BY b.hash`,
    [
      int2Array(places.map(({ chainFrom }) => chainFrom)),
      int2Array(places.map(({ chainTo }) => chainTo)),
      int4Array(places.map(({ height }) => height)),
    ],
  );
  const [newest] = await query<{ address: bigint; token: number }>(
    'verify-newest-ids',
    `SELECT (SELECT coalesce(max(address_id), 0) FROM ${schema}.addresses)::int8 AS address,
       (SELECT coalesce(max(token_id), 0) FROM ${schema}.tokens) AS token`,
  );
  const opened: Hash[] = [];
  let transactions = 0;
  for (const { hash, tx_count: txCount } of rows) {
    transactions += txCount;
    if (transactions <= most.transactions) opened.push(bytesToHex(hash));
  }
  const bucketsOf = (bucketOf: (timestamp: bigint) => bigint, from: bigint): bigint[] => {
    const timestamps = rows.map(({ block_timestamp: timestamp }) => timestamp).filter((timestamp) => timestamp >= from);
    const all = [...new Set(timestamps.map(bucketOf))];
    return numbersBelow(all.length, most.hours, random).map((place) => all[place]!);
  };
  return {
    groups,
    runs: heads.flatMap(({ chainFrom: from, chainTo: to, height }) => runsOf({ from, to }, height, random)),
    blocks: rows.map(({ chain_from: from, chain_to: to, height, hash }) => ({
      chain: { from, to },
      height,
      hash: bytesToHex(hash),
    })),
    opened,
    hours: bucketsOf(hourOf, 0n),
    rateHours: bucketsOf(nextHourOf, launchTimestamp),
    addressIds: idsUpTo(Number(newest!.address), random),
    tokenIds: idsUpTo(newest!.token, random),
  };
};
