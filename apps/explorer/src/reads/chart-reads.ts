import { launchTimestamp } from '@shardnode/protocol/block';
import { allChainIndexes, flatIndex } from '@shardnode/protocol/primitives';
import {
  type ChainCountsAnswer,
  type HashRatesAnswer,
  type LastHourAnswer,
  type TransactionCountsAnswer,
} from '../answers/charts.js';
import { type Buckets, bucketsOf, endOf, type IntervalType, startOf } from '../blocks/buckets.js';
import { firstBlockIdAt } from '../blocks/row-ids.js';
import { type Snapshot } from '../database/snapshot.js';
import { idsOfTimes } from './transaction-reads.js';

/** The buckets that a chart shows: those with labels from `from` to `to`, milliseconds since 1970. */
export interface ChartInterval {
  readonly from: bigint;
  readonly to: bigint;
  readonly type: IntervalType;
}

/** A quotient with two fraction digits, rounded half up. */
const hundredths = (total: bigint, parts: bigint): string => {
  const rounded = (200n * total + parts) / (2n * parts);
  return `${rounded / 100n}.${(rounded % 100n).toString().padStart(2, '0')}`;
};

/** Mean hash rates; a bucket has the label of its end (protocol 08 §5.11). */
export const hashRates = async (
  { schema, query }: Snapshot,
  { from, to, type }: ChartInterval,
): Promise<HashRatesAnswer> => {
  const { length, origin } = bucketsOf[type];
  const rows = await query<{ label: bigint; total: string; blocks: bigint }>(
    'hash-rates',
    `SELECT label, sum(total)::text AS total, sum(blocks) AS blocks
     FROM (SELECT bucket + $3 - 1 - mod(bucket + $3 - 1 - $4, $3) AS label, total, blocks
       FROM ${schema}.hashrate_hours WHERE bucket > $1 - $3 AND bucket <= $2) h
     WHERE label BETWEEN $1 AND $2 GROUP BY label ORDER BY label`,
    [from, to, length, origin],
  );
  return rows.map(({ label, total, blocks }) => {
    const hashrate = hundredths(BigInt(total), blocks);
    return { timestamp: Number(label), hashrate, value: hashrate };
  });
};

/** Numbers of transactions of a finished bucket, by flat index of the chain. */
interface Counts {
  /** Start of the bucket. */
  readonly timestamp: number;
  readonly ofChains: readonly bigint[];
}

/** Labels of the finished buckets of an interval, from the launch on; `newest`: time of the newest block. */
const finishedLabels = (buckets: Buckets, { from, to, type }: ChartInterval, newest: bigint): bigint[] => {
  const launch = startOf(buckets, launchTimestamp);
  // A week is finished by the day, as its days are.
  const finished = startOf(type === 'hourly' ? bucketsOf.hourly : bucketsOf.daily, newest) - buckets.length;
  const last = finished < to ? finished : to;
  const labels: bigint[] = [];
  for (let label = endOf(buckets, from > launch ? from : launch); label <= last; label += buckets.length)
    labels.push(label);
  return labels;
};

/** Counts of an hour of a chain; each block has one block reward. */
const counts = {
  transactions: { name: 'transaction-counts', sum: 'txs' },
  payments: { name: 'payment-counts', sum: 'txs - blocks' },
} as const;
type Counted = keyof typeof counts;

const countsOf = async (
  snapshot: Snapshot,
  interval: ChartInterval,
  groups: number,
  counted: Counted,
): Promise<Counts[]> => {
  const { schema, query } = snapshot;
  const buckets = bucketsOf[interval.type];
  const [newest] = await query<{ time: bigint | null }>(
    'newest-block-time',
    `SELECT max(block_timestamp) AS time FROM ${schema}.chain_heads`,
  );
  const labels = finishedLabels(buckets, interval, newest?.time ?? 0n);
  if (labels.length === 0) return [];
  const rows = await query<{ label: bigint; chain_from: number; chain_to: number; txs: bigint }>(
    counts[counted].name,
    `SELECT bucket - mod(bucket - $4, $3) AS label, chain_from, chain_to, sum(${counts[counted].sum})::int8 AS txs
     FROM ${schema}.chain_hours WHERE bucket >= $1 AND bucket < $2 + $3 GROUP BY 1, 2, 3`,
    [labels[0], labels.at(-1), buckets.length, buckets.origin],
  );
  const byLabel = new Map(labels.map((label) => [label, new Array<bigint>(groups * groups).fill(0n)]));
  for (const { label, chain_from, chain_to, txs } of rows)
    byLabel.get(label)![flatIndex({ from: chain_from, to: chain_to }, groups)] = txs;
  return labels.map((label) => ({ timestamp: Number(label), ofChains: byLabel.get(label)! }));
};

/** Numbers of transactions of all chains; a bucket has the label of its start (protocol 08 §5.11). */
export const transactionCounts = async (
  snapshot: Snapshot,
  interval: ChartInterval,
  groups: number,
  counted: Counted = 'transactions',
): Promise<TransactionCountsAnswer> =>
  (await countsOf(snapshot, interval, groups, counted)).map(({ timestamp, ofChains }) => ({
    timestamp,
    totalCountAllChains: Number(ofChains.reduce((sum, count) => sum + count, 0n)),
  }));

/** The same for each chain. */
export const transactionCountsPerChain = async (
  snapshot: Snapshot,
  interval: ChartInterval,
  groups: number,
  counted: Counted = 'transactions',
): Promise<ChainCountsAnswer> =>
  (await countsOf(snapshot, interval, groups, counted)).map(({ timestamp, ofChains }) => ({
    timestamp,
    totalCountPerChain: allChainIndexes(groups).map(({ from, to }, i) => ({
      chainFrom: from,
      chainTo: to,
      count: Number(ofChains[i]),
    })),
  }));

const [minute, minutesOfHour] = [60_000, 60];

/** Mean hash rates and transactions of the minutes of the last hour, the current one at last. @param now milliseconds since 1970 */
export const lastHour = async ({ schema, query }: Snapshot, now: number, groups: number): Promise<LastHourAnswer> => {
  const from = BigInt(Math.floor(now / minute) * minute - (minutesOfHour - 1) * minute);
  const rows = await query<{ label: bigint; chain: number; txs: bigint; blocks: bigint; total: string }>(
    'last-hour',
    `SELECT block_timestamp - mod(block_timestamp, ${minute}) AS label, chain_from * $2::int4 + chain_to AS chain,
       sum(tx_count - 1)::int8 AS txs, count(*) AS blocks, sum(hashrate)::text AS total
     FROM ${schema}.blocks WHERE main_chain AND block_id >= $1 AND height > 0 GROUP BY 1, 2 ORDER BY 1`,
    [firstBlockIdAt(from), groups],
  );
  const minutes = new Map<bigint, { blocks: bigint; total: bigint; counts: number[] }>();
  for (const { label, chain, txs, blocks, total } of rows) {
    const known = minutes.get(label) ?? { blocks: 0n, total: 0n, counts: new Array<number>(groups ** 2).fill(0) };
    known.counts[chain] = Number(txs);
    minutes.set(label, { ...known, blocks: known.blocks + blocks, total: known.total + BigInt(total) });
  }
  return [...minutes].map(([label, { blocks, total, counts: ofChains }]) => ({
    timestamp: Number(label),
    hashrate: hundredths(total, blocks),
    counts: ofChains,
  }));
};

/**
 * The balance of an address at the ends of the buckets in which it changed, and at the ends of the interval
 * (protocol 08 §5.11): a running sum from genesis on. Each point: milliseconds since 1970, attoCoin.
 */
export const amountHistory = async (
  { schema, query }: Snapshot,
  address: string,
  { from, to, type }: ChartInterval,
): Promise<(number | string)[][]> => {
  const { length, origin } = bucketsOf[type];
  const rows = await query<{ point: bigint; change: string }>(
    'amount-history',
    `WITH own AS (SELECT address_id FROM ${schema}.addresses WHERE address = $1),
       txs AS (SELECT l.tx_id, l.address_id FROM ${schema}.address_txs l JOIN own USING (address_id)
         WHERE l.tx_id < $6),
       changes AS (
         SELECT o.tx_id, o.amount FROM txs JOIN ${schema}.outputs o USING (tx_id, address_id)
         UNION ALL
         SELECT i.tx_id, -o.amount FROM txs JOIN ${schema}.inputs i USING (tx_id)
           JOIN ${schema}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
             AND o.address_id = txs.address_id
           WHERE NOT i.conflict)
     SELECT least($3::int8, greatest($2::int8,
         (tx_id >> 21) + $4::int8 - 2 - mod((tx_id >> 21) + $4::int8 - 1 - $5::int8, $4::int8))) AS point,
       sum(amount)::text AS change
     FROM changes GROUP BY 1 ORDER BY 1`,
    [address, from, to, length, origin, idsOfTimes(0n, to + 1n).to],
  );
  let balance = 0n;
  return rows.map(({ point, change }) => {
    balance += BigInt(change);
    return [Number(point), balance.toString()];
  });
};
