import { bytesToHex } from '@shardnode/protocol/encoding';
import { type LiveBlock } from '@shardnode/messages';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type BlockAnswer } from '../answers/blocks.js';
import { bounds, first, type Page, type Part, partOf } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';

interface LiteRow {
  readonly hash: Buffer;
  readonly block_id: bigint;
  readonly block_timestamp: bigint;
  readonly chain_from: number;
  readonly chain_to: number;
  readonly height: number;
  readonly tx_count: number;
  readonly main_chain: boolean;
  readonly hashrate: string;
}

interface BlockRow extends LiteRow {
  readonly deps: Buffer;
  readonly nonce: Buffer;
  readonly version: number;
  readonly dep_state_hash: Buffer;
  readonly txs_hash: Buffer;
  readonly target: Buffer;
  readonly parent: Buffer | null;
}

const liteColumns =
  'hash, block_id, block_timestamp, chain_from, chain_to, height, tx_count, main_chain, hashrate::text AS hashrate';
const columns = `${liteColumns}, deps, nonce, version, dep_state_hash, txs_hash, target, parent`;

const liteOf = (row: LiteRow): LiveBlock => ({
  hash: bytesToHex(row.hash),
  timestamp: Number(row.block_timestamp),
  chainFrom: row.chain_from,
  chainTo: row.chain_to,
  height: row.height,
  txNumber: row.tx_count,
  mainChain: row.main_chain,
  hashRate: row.hashrate,
});

const hashBytes = 32;
const hashesOf = (bytes: Buffer): Hash[] =>
  Array.from({ length: bytes.length / hashBytes }, (_, i) =>
    bytesToHex(bytes.subarray(i * hashBytes, (i + 1) * hashBytes)),
  );

const blockOf = (row: BlockRow): BlockAnswer => ({
  ...liteOf(row),
  deps: hashesOf(row.deps),
  nonce: bytesToHex(row.nonce),
  version: row.version,
  depStateHash: bytesToHex(row.dep_state_hash),
  txsHash: bytesToHex(row.txs_hash),
  target: bytesToHex(row.target),
  parent: row.parent && bytesToHex(row.parent),
});

const orders = {
  newest: { name: 'blocks-newest', after: '<', direction: 'DESC', start: first },
  oldest: { name: 'blocks-oldest', after: '>', direction: 'ASC', start: -1n },
} as const;

/** Which applied blocks a list has: every one, or those with transactions beside the block reward. */
const contents = {
  any: { name: '', condition: '' },
  payments: { name: '-payments', condition: 'AND tx_count > 1' },
} as const;

/** Applied blocks, newest or oldest first (protocol 08 §5.5). */
export const listBlocks = async (
  { schema, query }: Snapshot,
  page: Page,
  order: keyof typeof orders,
  content: keyof typeof contents = 'any',
): Promise<Part<LiveBlock>> => {
  const { name, after, direction, start } = orders[order];
  const rows = await query<LiteRow>(
    `${name}${contents[content].name}`,
    `SELECT ${liteColumns} FROM ${schema}.blocks WHERE main_chain ${contents[content].condition} AND block_id ${after} $1
     ORDER BY block_id ${direction} LIMIT $2 OFFSET $3`,
    [page.after?.[0] ?? start, ...bounds(page)],
  );
  const { items, next } = partOf(rows, page, ({ block_id }) => [block_id]);
  return { items: items.map(liteOf), next };
};

/** The heads of the chains that have blocks, by chain. */
export const headBlocks = async ({ schema, query }: Snapshot): Promise<LiveBlock[]> => {
  const rows = await query<LiteRow>(
    'head-blocks',
    `SELECT ${liteColumns} FROM ${schema}.blocks WHERE hash = ANY(ARRAY(SELECT hash FROM ${schema}.chain_heads))
     ORDER BY chain_from, chain_to`,
  );
  return rows.map(liteOf);
};

/** The blocks after genesis of the chains that have one, by chain: no two networks have one of them in common. */
export const firstBlocks = async ({ schema, query }: Snapshot): Promise<Hash[]> => {
  const rows = await query<{ hash: Uint8Array }>(
    'first-blocks',
    `SELECT block.hash FROM ${schema}.chain_heads head JOIN ${schema}.blocks block
     ON block.chain_from = head.chain_from AND block.chain_to = head.chain_to AND block.height = 1 AND block.main_chain
     ORDER BY head.chain_from, head.chain_to`,
  );
  return rows.map(({ hash }) => bytesToHex(hash));
};

/** Number of applied blocks: heights from 0 (protocol 08 §3.5). */
export const countBlocks = async ({ schema, query }: Snapshot): Promise<number> => {
  const rows = await query<{ total: bigint }>(
    'count-blocks',
    `SELECT coalesce(sum(height + 1), 0)::int8 AS total FROM ${schema}.chain_heads`,
  );
  return Number(rows[0]!.total);
};

/** A block, applied or not; undefined when it is not known. */
export const findBlock = async ({ schema, query }: Snapshot, hash: Hash): Promise<BlockAnswer | undefined> => {
  const rows = await query<BlockRow>('block-by-hash', `SELECT ${columns} FROM ${schema}.blocks WHERE hash = $1`, [
    Buffer.from(hash, 'hex'),
  ]);
  return rows[0] && blockOf(rows[0]);
};

/** Heights of a chain, the last one included. */
export interface HeightRange extends ChainIndex {
  readonly first: number;
  readonly last: number;
}

/** Blocks of a chain, highest first: the applied one of a height, then the others by hash. */
export const blocksOfHeights = async (
  { schema, query }: Snapshot,
  { from, to, first: lowest, last: highest }: HeightRange,
): Promise<BlockAnswer[]> => {
  // Groups of any size: the columns are smaller.
  const within = 'chain_from = $1::int4 AND chain_to = $2::int4 AND height BETWEEN $3 AND $4';
  const rows = await query<BlockRow>(
    'blocks-of-heights',
    `SELECT * FROM (SELECT ${columns} FROM ${schema}.blocks WHERE main_chain AND ${within}
       UNION ALL SELECT ${columns} FROM ${schema}.blocks WHERE NOT main_chain AND ${within}) AS found
     ORDER BY height DESC, main_chain DESC, hash`,
    [from, to, lowest, highest],
  );
  return rows.map(blockOf);
};

/** Height of the newest applied block of a chain; undefined without one. */
export const headHeight = async (
  { schema, query }: Snapshot,
  { from, to }: ChainIndex,
): Promise<number | undefined> => {
  const rows = await query<{ height: number }>(
    'head-height',
    `SELECT height FROM ${schema}.chain_heads WHERE chain_from = $1::int4 AND chain_to = $2::int4`,
    [from, to],
  );
  return rows[0]?.height;
};

/** Whether a block is applied and deep enough to stay so (protocol 08 §3.1). @param depth blocks below the head */
export const isFinal = async (
  snapshot: Snapshot,
  { mainChain, chainFrom, chainTo, height }: Pick<BlockAnswer, 'mainChain' | 'chainFrom' | 'chainTo' | 'height'>,
  depth: number,
): Promise<boolean> => {
  if (!mainChain) return false;
  const head = await headHeight(snapshot, { from: chainFrom, to: chainTo });
  return head !== undefined && height <= head - depth;
};

/** The place of a block in the index: its id if it is applied, its body if it is not and the body is still there. */
export interface BlockPlace {
  readonly blockId: bigint;
  readonly isApplied: boolean;
  readonly height: number;
  readonly txCount: number;
  /** Serialized block and its events (protocol 08 §3.3). */
  readonly body: Buffer | undefined;
}

export const placeOfBlock = async ({ schema, query }: Snapshot, hash: Hash): Promise<BlockPlace | undefined> => {
  const rows = await query<{
    block_id: bigint;
    main_chain: boolean;
    height: number;
    tx_count: number;
    body: Buffer | null;
  }>('place-of-block', `SELECT block_id, main_chain, height, tx_count, body FROM ${schema}.blocks WHERE hash = $1`, [
    Buffer.from(hash, 'hex'),
  ]);
  const row = rows[0];
  return (
    row && {
      blockId: row.block_id,
      isApplied: row.main_chain,
      height: row.height,
      txCount: row.tx_count,
      body: row.body ?? undefined,
    }
  );
};
