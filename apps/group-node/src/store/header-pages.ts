import { hashArray, int2Array, int4Array, type SchemaStatements } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ChainReads, type HeaderRow, type IntervalBlock, type IntervalQuery } from './model.js';

/** The columns of a header as the database returns them. */
export interface RawHeaderRow {
  readonly hash: Buffer;
  readonly raw: Buffer;
  readonly height: number;
  readonly weight: string;
  readonly height_rank: number;
}

const columns = 'h.hash, h.raw, h.height, h.weight::text AS weight, h.height_rank';

export const headerRowOf = (row: RawHeaderRow): HeaderRow => ({
  hash: bytesToHex(row.hash),
  raw: new Uint8Array(row.raw),
  height: row.height,
  weight: BigInt(row.weight),
  rank: row.height_rank,
});

/** Heights of a page: a walk below the window reads so many at once, and a single lookup decodes them in a millisecond. */
const pageHeights = 64;

/** Rows of one statement at the start. */
const rowsAtOnce = 2_000;

/** See `ChainReads`. The top of each chain and its newest heights are looked up in the index of heights. */
export async function* loadNewestHeights(
  database: SchemaStatements,
  heights: number,
): AsyncIterable<readonly HeaderRow[]> {
  const { schema } = database;
  const ofChain = `FROM ${schema}.block_header h WHERE h.chain_from = $1 AND h.chain_to = $2`;
  const genesis = await database.query<RawHeaderRow & { chain_from: number; chain_to: number; top: number }>(
    'genesis-rows',
    `SELECT ${columns}, h.chain_from, h.chain_to, (SELECT max(t.height) FROM ${schema}.block_header t
       WHERE t.chain_from = h.chain_from AND t.chain_to = h.chain_to) AS top
     FROM ${schema}.block_header h WHERE h.seq <= (SELECT count(*) FROM ${schema}.chain_tip) AND h.height = 0`,
  );
  yield genesis.map(headerRowOf);
  for (const { chain_from: from, chain_to: to, top } of genesis) {
    let [height, rank] = [Math.max(0, top - heights), Number.MAX_SAFE_INTEGER];
    for (;;) {
      const rows = await database.query<RawHeaderRow>(
        'newest-heights',
        `SELECT ${columns} ${ofChain} AND h.height >= $3 AND (h.height, h.height_rank::bigint) > ($3, $4::bigint)
         ORDER BY h.height, h.height_rank LIMIT ${rowsAtOnce}`,
        [from, to, height, BigInt(rank)],
      );
      yield rows.map(headerRowOf);
      const last = rows.at(-1);
      if (!last || rows.length < rowsAtOnce) break;
      [height, rank] = [last.height, last.height_rank];
    }
  }
}

/** See `ChainReads`. */
export const loadHeaderPages = async (
  database: SchemaStatements,
  { hashes, heights }: Parameters<ChainReads['headerPages']>[0],
): Promise<readonly HeaderRow[]> => {
  const { schema } = database;
  const rows = await database.query<RawHeaderRow>(
    'header-pages',
    `WITH place AS (
       SELECT chain_from, chain_to, height / ${pageHeights} AS page FROM ${schema}.block_header
       WHERE hash = ANY ($1::bytea[])
       UNION SELECT f, t, e / ${pageHeights} FROM unnest($2::smallint[], $3::smallint[], $4::int[]) AS n(f, t, e)
     )
     SELECT ${columns} FROM place p CROSS JOIN LATERAL (
       SELECT * FROM ${schema}.block_header b WHERE b.chain_from = p.chain_from AND b.chain_to = p.chain_to
         AND b.height >= p.page * ${pageHeights} AND b.height < (p.page + 1) * ${pageHeights}
     ) h`,
    [
      hashArray(hashes),
      int2Array(heights.map(({ chain }) => chain.from)),
      int2Array(heights.map(({ chain }) => chain.to)),
      int4Array(heights.map(({ height }) => height)),
    ],
  );
  return rows.map(headerRowOf);
};

/** See `ChainReads`. */
export const loadCanonicalBetween = async (
  database: SchemaStatements,
  { chain: { from, to }, fromTime, toTime, below, limit }: IntervalQuery,
): Promise<readonly IntervalBlock[]> => {
  const { schema } = database;
  const rows = await database.query<{ hash: Buffer; height: number; timestamp: bigint; target: Buffer }>(
    'canonical-between',
    `SELECT h.hash, h.height, h.timestamp, substring(h.raw FROM octet_length(h.raw) - 3) AS target FROM (SELECT ${schema}.first_height($1::smallint, $2::smallint, $3::bigint, $5::int) AS low,
         ${schema}.first_height($1::smallint, $2::smallint, $4::bigint + 1, $5::int) AS high) AS bounds
       CROSS JOIN LATERAL (SELECT * FROM ${schema}.block_header b WHERE b.chain_from = $1::smallint
         AND b.chain_to = $2::smallint AND b.height >= bounds.low AND b.height < bounds.high AND b.height_rank = 0
         ORDER BY b.height LIMIT $6::bigint) h`,
    [from, to, fromTime, toTime, below, BigInt(limit)],
  );
  // The target is the last field of a header (protocol 01 §14.1).
  return rows.map(({ hash, target, ...row }) => ({ ...row, hash: bytesToHex(hash), target: target.readUInt32BE() }));
};
