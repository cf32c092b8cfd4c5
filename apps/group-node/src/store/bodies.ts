import { byteaArray, type SchemaStatements, hashArray, int8Array } from '@shardnode/core/database';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CommitPart, rowsOfBytes } from './commit-part.js';
import { bytesOfEvent } from './event-bytes.js';
import { type NumberedCommit } from './headers.js';

/** Raw blocks of commits that have one. Each counts by its size, so that large ones do not share a statement. */
export const bodyParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const rows = commits.filter(({ commit }) => commit.body !== undefined);
  if (rows.length === 0) return [];
  const bytes = rows.reduce((sum, { commit }) => sum + commit.body!.length, 0);
  return [
    {
      writes: 'write_bodies',
      values: [int8Array(rows.map(({ seq }) => seq)), byteaArray(rows.map(({ commit }) => commit.body))],
      rows: rows.length - 1 + rowsOfBytes(bytes),
    },
  ];
};

/** Raw blocks by hash in one round trip; absent ones are left out. */
export const loadBodies = async (
  database: SchemaStatements,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Uint8Array>> => {
  if (hashes.length === 0) return new Map();
  const { schema } = database;
  const rows = await database.query<{ hash: Buffer; raw: Buffer }>(
    'bodies',
    `SELECT h.hash, b.raw FROM ${schema}.block_header h JOIN ${schema}.block_body b ON b.block_seq = h.seq
     WHERE h.hash = ANY ($1::bytea[])`,
    [hashArray(hashes)],
  );
  return new Map(rows.map(({ hash, raw }) => [bytesToHex(hash), new Uint8Array(raw)]));
};

/** See `ChainReads.blockSizes`. The database knows lengths without reading the bytes. */
export const loadBlockSizes = async (
  database: SchemaStatements,
  hashes: readonly Hash[],
  { withEvents }: { readonly withEvents: boolean },
): Promise<ReadonlyMap<Hash, number>> => {
  if (hashes.length === 0) return new Map();
  const { schema } = database;
  const ofEvents = `coalesce((SELECT sum(octet_length(e.fields) + ${bytesOfEvent}) FROM ${schema}.event e
     WHERE e.block_seq = h.seq), 0)`;
  const rows = await database.query<{ hash: Buffer; bytes: number }>(
    withEvents ? 'sizes-with-events' : 'sizes',
    `SELECT h.hash, (octet_length(b.raw)${withEvents ? ` + ${ofEvents}` : ''})::int4 AS bytes
     FROM ${schema}.block_header h JOIN ${schema}.block_body b ON b.block_seq = h.seq
     WHERE h.hash = ANY ($1::bytea[])`,
    [hashArray(hashes)],
  );
  return new Map(rows.map(({ hash, bytes }) => [bytesToHex(hash), bytes]));
};

/**
 * Adds the body of a block whose header is stored. Does nothing when the body exists. Throws when there is no header.
 */
export const addBody = async (database: SchemaStatements, hash: Hash, raw: Uint8Array): Promise<void> => {
  const { schema } = database;
  const rows = await database.query(
    'add-body',
    `WITH header AS (SELECT seq FROM ${schema}.block_header WHERE hash = $1),
     added AS (INSERT INTO ${schema}.block_body (block_seq, raw) SELECT seq, $2 FROM header ON CONFLICT DO NOTHING)
     SELECT seq FROM header`,
    [hexToBytes(hash), raw],
  );
  if (rows.length === 0) throw new Error(`no header for the body of ${hash}`);
};
