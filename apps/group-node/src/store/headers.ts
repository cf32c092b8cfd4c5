import {
  byteaArray,
  type SchemaStatements,
  hashArray,
  int2Array,
  int4Array,
  int8Array,
  textArray,
} from '@shardnode/core/database';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { headerRowOf, type RawHeaderRow } from './header-pages.js';
import { type CommitPart, inSlices } from './commit-part.js';
import { type BlockCommit, type ChainRow, type HeightOrder } from './model.js';

/** A block with its number in the order of acceptance. */
export interface NumberedCommit {
  readonly seq: bigint;
  readonly commit: BlockCommit;
}

const chainKey = ({ from, to }: ChainIndex): string => `${from}-${to}`;

/** The rank of every block of the height lists; the last list of a height wins. */
const finalRanks = (orders: readonly HeightOrder[]): Map<Hash, number> => {
  const ranks = new Map<Hash, number>();
  for (const { hashes } of orders) hashes.forEach((hash, rank) => ranks.set(hash, rank));
  return ranks;
};

const rankParts = (ranks: ReadonlyMap<Hash, number>): CommitPart[] =>
  inSlices([...ranks]).map((rows) => ({
    writes: 'write_ranks',
    values: [hashArray(rows.map(([hash]) => hash)), int4Array(rows.map(([, rank]) => rank))],
    rows: rows.length,
  }));

/** The new order of some heights. */
export const orderParts = (orders: readonly HeightOrder[]): CommitPart[] => rankParts(finalRanks(orders));

const tipParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const last = new Map(commits.map(({ commit }) => [chainKey(commit.header.chainIndex), commit]));
  const rows = [...last.values()];
  const hashes = rows.map(({ tips }) => hexToBytes(tips.join('')));
  return [
    {
      writes: 'write_tips',
      values: [
        int2Array(rows.map((commit) => commit.header.chainIndex.from)),
        int2Array(rows.map((commit) => commit.header.chainIndex.to)),
        byteaArray(hashes),
      ],
      rows: rows.length,
    },
  ];
};

/** Headers, the ranks of other blocks that change because of them, and the tips of their chains. */
export const headerParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const ranks = finalRanks(commits.flatMap(({ commit }) => commit.orders));
  const headers = inSlices(commits).map((rows): CommitPart => {
    const headersOf = rows.map(({ commit }) => commit.header);
    return {
      writes: 'write_headers',
      values: [
        int8Array(rows.map(({ seq }) => seq)),
        hashArray(headersOf.map((header) => header.hash)),
        int2Array(headersOf.map((header) => header.chainIndex.from)),
        int2Array(headersOf.map((header) => header.chainIndex.to)),
        int4Array(rows.map(({ commit }) => commit.height)),
        int4Array(headersOf.map((header) => ranks.get(header.hash) ?? 0)),
        textArray(rows.map(({ commit }) => commit.weight.toString())),
        int8Array(headersOf.map((header) => header.timestamp)),
        byteaArray(headersOf.map((header) => header.raw)),
      ],
      rows: rows.length,
    };
  });
  for (const { commit } of commits) ranks.delete(commit.header.hash);
  return [...headers, ...rankParts(ranks), ...tipParts(commits)];
};

interface FullRow extends RawHeaderRow {
  readonly seq: bigint;
  readonly has_body: boolean;
}

const pageSize = 500;

const fullColumns = (schema: string): string =>
  `SELECT h.seq, h.hash, h.raw, h.height, h.weight::text AS weight, h.height_rank,
    EXISTS (SELECT 1 FROM ${schema}.block_body b WHERE b.block_seq = h.seq) AS has_body
    FROM ${schema}.block_header h`;

const chainRowOf = (row: FullRow): ChainRow => ({ ...headerRowOf(row), hasBody: row.has_body });

/** Those of the headers that are stored. */
export const loadRowsOf = async (database: SchemaStatements, hashes: readonly Hash[]): Promise<readonly ChainRow[]> => {
  const text = `${fullColumns(database.schema)} WHERE h.hash = ANY ($1::bytea[])`;
  const rows = await database.query<FullRow>('rows-of', text, [hashArray(hashes)]);
  return rows.map(chainRowOf);
};

/** All headers in order of acceptance, page by page. */
export async function* loadChainRows(database: SchemaStatements): AsyncIterable<readonly ChainRow[]> {
  const text = `${fullColumns(database.schema)} WHERE h.seq > $1 ORDER BY h.seq LIMIT ${pageSize}`;
  for (let after = 0n; ;) {
    const rows = await database.query<FullRow>('chain-rows', text, [after]);
    if (rows.length === 0) return;
    after = rows.at(-1)!.seq;
    yield rows.map(chainRowOf);
    if (rows.length < pageSize) return;
  }
}

/** The tips of every chain. */
export const loadTips = async (
  database: SchemaStatements,
): Promise<readonly { readonly chain: ChainIndex; readonly hashes: readonly Hash[] }[]> => {
  const rows = await database.query<{ chain_from: number; chain_to: number; hashes: Buffer }>(
    'tips',
    `SELECT chain_from, chain_to, hashes FROM ${database.schema}.chain_tip ORDER BY chain_from, chain_to`,
  );
  return rows.map(({ chain_from, chain_to, hashes }) => ({
    chain: { from: chain_from, to: chain_to },
    hashes: hashes.toString('hex').match(/.{64}/g) ?? [],
  }));
};

/** The number of the last accepted block; 0 before the first. */
export const lastSeq = async (database: SchemaStatements): Promise<bigint> => {
  const rows = await database.query<{ seq: bigint | null }>(
    'last-seq',
    `SELECT max(seq) AS seq FROM ${database.schema}.block_header`,
  );
  return rows[0]!.seq ?? 0n;
};

export const hasHeader = async (database: SchemaStatements, hash: Hash): Promise<boolean> => {
  const rows = await database.query(
    'has-header',
    `SELECT 1 AS one FROM ${database.schema}.block_header WHERE hash = $1`,
    [hexToBytes(hash)],
  );
  return rows.length > 0;
};
