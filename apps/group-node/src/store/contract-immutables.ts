import { byteaArray, type SchemaStatements, hashArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CommitPart, inSlicesBySize } from './commit-part.js';
import { type NumberedCommit } from './headers.js';

/** New immutable states and code. Several blocks may contain the same entry; it is stored once. */
export const immutableParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const entries = new Map(commits.flatMap(({ commit }) => [...(commit.worldState?.immutable ?? [])]));
  // In order of hash: neighbours in the index are written together.
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return inSlicesBySize(sorted, ([, data]) => data.length).map(({ rows, weight }) => ({
    writes: 'write_immutables',
    values: [hashArray(rows.map(([hash]) => hash)), byteaArray(rows.map(([, data]) => data))],
    rows: weight,
  }));
};

/** Tagged values by hash in one round trip; absent ones are left out (protocol 04 §4.3). */
export const loadImmutables = async (
  database: SchemaStatements,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Uint8Array>> => {
  if (hashes.length === 0) return new Map();
  const rows = await database.query<{ hash: Buffer; data: Buffer }>(
    'immutables',
    `SELECT hash, data FROM ${database.schema}.contract_immutable WHERE hash = ANY ($1::bytea[])`,
    [hashArray(hashes)],
  );
  return new Map(rows.map(({ hash, data }) => [bytesToHex(hash), new Uint8Array(data)]));
};
