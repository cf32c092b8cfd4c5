import { type ChainHeightsAnswer } from '../answers/infos.js';
import { type Snapshot } from '../database/snapshot.js';

interface ChainRow {
  readonly chain_from: number;
  readonly chain_to: number;
}

/** Number of applied transactions. */
export const totalTransactions = async ({ schema, query }: Snapshot): Promise<bigint> => {
  const rows = await query<{ total: bigint }>(
    'total-transactions',
    `SELECT coalesce(sum(tx_total), 0)::int8 AS total FROM ${schema}.chain_heads`,
  );
  return rows[0]!.total;
};

/** Milliseconds before the head of a chain whose blocks count in its mean (protocol 08 §3.5). */
const meanOverMs = 7_200_000;

/** Of a chain, in milliseconds. */
interface BlockTime {
  readonly chainFrom: number;
  readonly chainTo: number;
  readonly duration: number;
  readonly value: number;
}

/** Mean milliseconds between the newest blocks of each chain; 0 for fewer than two blocks. */
export const averageBlockTimes = async ({ schema, query }: Snapshot): Promise<BlockTime[]> => {
  const rows = await query<ChainRow & { duration: bigint }>(
    'average-block-times',
    `SELECT h.chain_from, h.chain_to, coalesce((n.newest - n.oldest) / nullif(n.blocks - 1, 0), 0)::int8 AS duration
     FROM ${schema}.chain_heads h CROSS JOIN LATERAL (
       SELECT count(*) AS blocks, max(block_timestamp) AS newest, min(block_timestamp) AS oldest FROM ${schema}.blocks b
       WHERE b.main_chain AND b.block_id >= (h.block_timestamp - $1 + 1) * 1024
         AND b.block_id < (h.block_timestamp + 1) * 1024
         AND b.chain_from = h.chain_from AND b.chain_to = h.chain_to) n
     ORDER BY h.chain_from, h.chain_to`,
    [meanOverMs],
  );
  return rows.map(({ chain_from: chainFrom, chain_to: chainTo, duration }) => ({
    chainFrom,
    chainTo,
    duration: Number(duration),
    value: Number(duration),
  }));
};

/** Times of the index, milliseconds since 1970; 0 before there are blocks. */
export interface IndexTimes {
  /** The newest applied block of all chains. */
  readonly newest: number;
  /** Blocks up to it are final (protocol 08 §4.12); 0 while a chain is shorter than `finalityDepth`. */
  readonly finalized: number;
}

export const indexTimes = async ({ schema, query }: Snapshot, finalityDepth: number): Promise<IndexTimes> => {
  const rows = await query<{ newest: bigint | null; finalized: bigint | null; is_complete: boolean | null }>(
    'index-times',
    `SELECT max(h.block_timestamp) AS newest, min(b.block_timestamp) AS finalized,
       count(b.hash) = count(*) AS is_complete
     FROM ${schema}.chain_heads h LEFT JOIN ${schema}.blocks b ON b.main_chain AND b.height = h.height - $1
       AND b.chain_from = h.chain_from AND b.chain_to = h.chain_to`,
    [finalityDepth],
  );
  const { newest, finalized, is_complete: isComplete } = rows[0]!;
  return { newest: Number(newest ?? 0n), finalized: isComplete === true ? Number(finalized ?? 0n) : 0 };
};

/** The newest applied block of all chains, milliseconds since 1970; undefined before the first. */
export const newestTimestamp = async ({ schema, query }: Snapshot): Promise<number | undefined> => {
  const rows = await query<{ newest: bigint | null }>(
    'newest-timestamp',
    `SELECT max(block_timestamp) AS newest FROM ${schema}.chain_heads`,
  );
  const { newest } = rows[0]!;
  return newest === null ? undefined : Number(newest);
};

/** A row of `chain_heads`. */
export interface StoredHead {
  readonly chainFrom: number;
  readonly chainTo: number;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/** Heads of the chains that have blocks, by chain. */
export const storedHeads = async ({ schema, query }: Snapshot): Promise<StoredHead[]> => {
  const rows = await query<ChainRow & { height: number; block_timestamp: bigint }>(
    'stored-heads',
    `SELECT chain_from, chain_to, height, block_timestamp FROM ${schema}.chain_heads ORDER BY chain_from, chain_to`,
  );
  return rows.map(({ chain_from: chainFrom, chain_to: chainTo, height, block_timestamp }) => ({
    chainFrom,
    chainTo,
    height,
    timestamp: Number(block_timestamp),
  }));
};

/** Heights of all chains, by chain. */
export const chainHeights = async (snapshot: Snapshot): Promise<ChainHeightsAnswer> =>
  (await storedHeads(snapshot)).map(({ chainFrom, chainTo, height }) => ({
    chainFrom,
    chainTo,
    height,
    value: height,
  }));

/** Numbers of inputs that are unresolved, and in conflict (protocol 08 §4.5); normally 0. */
export const openInputs = async ({
  schema,
  query,
}: Snapshot): Promise<{ readonly unresolved: number; readonly conflicting: number }> => {
  const rows = await query<{ unresolved: number; conflicting: number }>(
    'open-inputs',
    `SELECT (SELECT count(*)::int FROM ${schema}.inputs WHERE ref_tx_id IS NULL) AS unresolved,
       (SELECT count(*)::int FROM ${schema}.inputs WHERE conflict) AS conflicting`,
  );
  return rows[0]!;
};
