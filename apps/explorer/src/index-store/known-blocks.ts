import { hashArray, int4Array, type SchemaStatements } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';

/** Hashes of the applied blocks of a chain, by height; heights without one are left out. */
export const appliedHashes = async (
  database: SchemaStatements,
  chain: ChainIndex,
  heights: readonly number[],
): Promise<ReadonlyMap<number, Hash>> => {
  if (heights.length === 0) return new Map();
  const rows = await database.query<{ height: number; hash: Buffer }>(
    'applied-hashes',
    `SELECT height, hash FROM ${database.schema}.blocks
     WHERE main_chain AND chain_from = $1 AND chain_to = $2 AND height = ANY($3::int4[])`,
    [chain.from, chain.to, int4Array(heights)],
  );
  return new Map(rows.map(({ height, hash }) => [height, bytesToHex(hash)]));
};

/** Those of the hashes whose blocks are applied or stored as side blocks. */
export const storedHashes = async (database: SchemaStatements, hashes: readonly Hash[]): Promise<readonly Hash[]> => {
  if (hashes.length === 0) return [];
  const rows = await database.query<{ hash: Buffer }>(
    'stored-hashes',
    `SELECT hash FROM ${database.schema}.blocks WHERE hash = ANY($1::bytea[])`,
    [hashArray(hashes)],
  );
  return rows.map(({ hash }) => bytesToHex(hash));
};
