import { type LiveBlock, type LiveStats } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { countBlocks, firstBlocks, headBlocks, listBlocks } from './block-reads.js';
import { averageBlockTimes, totalTransactions } from './info-reads.js';
import { type Snapshot } from '../database/snapshot.js';

/** First event of a client of the stream (protocol 08 §6). */
export interface LiveSnapshot {
  /** Of all chains. */
  readonly heads: readonly LiveBlock[];
  /** Of the chains that have one: they say whether it is the network of a snapshot before. */
  readonly firstBlocks: readonly Hash[];
  /** Newest first. */
  readonly latestBlocks: readonly LiveBlock[];
  readonly pendingCount: number;
  readonly stats: LiveStats;
}

/** Blocks of a snapshot. */
const latestBlocks = 20;

const countPending = async ({ schema, query }: Snapshot): Promise<number> => {
  const [row] = await query<{ total: number }>(
    'count-pending',
    `SELECT count(*)::int AS total FROM ${schema}.pending_txs`,
  );
  return row!.total;
};

/** Of the newest head, because each block estimates the rate of the whole network. */
const newestOf = (heads: readonly LiveBlock[]): LiveBlock | undefined =>
  heads.reduce<LiveBlock | undefined>(
    (newest, head) => (newest && newest.timestamp >= head.timestamp ? newest : head),
    undefined,
  );

const statsOf = async (snapshot: Snapshot, heads: readonly LiveBlock[], now: number): Promise<LiveStats> => {
  const times = await averageBlockTimes(snapshot);
  const newest = newestOf(heads);
  return {
    totalTransactions: Number(await totalTransactions(snapshot)),
    totalBlocks: await countBlocks(snapshot),
    hashRate: newest?.hashRate ?? '0',
    averageBlockTimeMs: Math.round(times.reduce((sum, { duration }) => sum + duration, 0) / Math.max(1, times.length)),
    pendingCount: await countPending(snapshot),
    lagMs: newest ? Math.max(0, now - newest.timestamp) : 0,
  };
};

/** Totals of the index (protocol 08 §6). @param now milliseconds since 1970 */
export const readStats = async (snapshot: Snapshot, now: number): Promise<LiveStats> =>
  statsOf(snapshot, await headBlocks(snapshot), now);

/** @param now milliseconds since 1970 */
export const readLiveSnapshot = async (snapshot: Snapshot, now: number): Promise<LiveSnapshot> => {
  const heads = await headBlocks(snapshot);
  const stats = await statsOf(snapshot, heads, now);
  const { items } = await listBlocks(snapshot, { limit: latestBlocks, offset: 0 }, 'newest');
  const first = await firstBlocks(snapshot);
  return { heads, firstBlocks: first, latestBlocks: items, pendingCount: stats.pendingCount, stats };
};

/** Whether the index has a block, applied or not. */
export const hasBlock = async ({ schema, query }: Snapshot, hash: Hash): Promise<boolean> => {
  const rows = await query('has-block', `SELECT FROM ${schema}.blocks WHERE hash = $1`, [Buffer.from(hash, 'hex')]);
  return rows.length > 0;
};
