import { type SchemaStatements, hashArray, int4Array, int8Array } from '@shardnode/core/database';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CommitPart, inSlices } from './commit-part.js';
import { type NumberedCommit } from './headers.js';
import { type TransactionLocation } from './model.js';

/** Locations of all transactions of own chains, side blocks included (protocol 02 §15.1). */
export const locationParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const locations = commits.flatMap(({ seq, commit }) =>
    (commit.transactionIds ?? []).map((txId, index) => ({ txId, seq, index })),
  );
  return inSlices(locations).map((rows) => ({
    writes: 'write_locations',
    values: [
      hashArray(rows.map(({ txId }) => txId)),
      int8Array(rows.map(({ seq }) => seq)),
      int4Array(rows.map(({ index }) => index)),
    ],
    rows: rows.length,
  }));
};

/** In order of acceptance of the blocks. */
export const loadLocations = async (
  database: SchemaStatements,
  txId: Hash,
): Promise<readonly TransactionLocation[]> => {
  const { schema } = database;
  const rows = await database.query<{ hash: Buffer; tx_index: number }>(
    'locations',
    `SELECT h.hash, l.tx_index FROM ${schema}.transaction_location l JOIN ${schema}.block_header h ON h.seq = l.block_seq
     WHERE l.tx_id = $1 ORDER BY l.block_seq`,
    [hexToBytes(txId)],
  );
  return rows.map(({ hash, tx_index }) => ({ blockHash: bytesToHex(hash), txIndex: tx_index }));
};
