import {
  byteaArray,
  type SchemaStatements,
  hashArray,
  int2Array,
  int8Array,
  textArray,
} from '@shardnode/core/database';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CommitPart, inSlices } from './commit-part.js';
import { type DroppedTransaction, type PendingTransaction, type PoolChanges } from './model.js';

const optionalHash = (hash: Hash | undefined): Uint8Array | undefined =>
  hash === undefined ? undefined : hexToBytes(hash);

const addedPart = (rows: readonly PendingTransaction[]): CommitPart => ({
  writes: 'add_pending',
  values: [
    hashArray(rows.map(({ txId }) => txId)),
    int2Array(rows.map(({ chain }) => chain.from)),
    int2Array(rows.map(({ chain }) => chain.to)),
    int8Array(rows.map(({ firstSeen }) => firstSeen)),
    byteaArray(rows.map(({ raw }) => raw)),
  ],
  rows: rows.length,
});

const droppedPart = (rows: readonly DroppedTransaction[]): CommitPart => ({
  writes: 'write_dropped',
  values: [
    hashArray(rows.map(({ txId }) => txId)),
    textArray(rows.map(({ code }) => code)),
    textArray(rows.map(({ detail }) => detail)),
    byteaArray(rows.map(({ conflictingTxId }) => optionalHash(conflictingTxId))),
    int8Array(rows.map(({ droppedAt }) => droppedAt)),
  ],
  rows: rows.length,
});

/** First what leaves, then what comes: a transaction may do both in a reorganisation. */
export const poolParts = (changes: PoolChanges): CommitPart[] => [
  ...inSlices(changes.removed ?? []).map((ids): CommitPart => {
    return { writes: 'remove_pending', values: [hashArray(ids)], rows: ids.length };
  }),
  ...inSlices(changes.dropped ?? []).map(droppedPart),
  ...inSlices(changes.added ?? []).map(addedPart),
];

interface PendingRow {
  readonly tx_id: Buffer;
  readonly chain_from: number;
  readonly chain_to: number;
  readonly first_seen: bigint;
  readonly raw: Buffer;
}

/** The stored pool, oldest first. */
export const loadPending = async (database: SchemaStatements): Promise<readonly PendingTransaction[]> => {
  const rows = await database.query<PendingRow>(
    'pending',
    `SELECT tx_id, chain_from, chain_to, first_seen, raw FROM ${database.schema}.pending_transaction
     ORDER BY first_seen, tx_id`,
  );
  return rows.map((row) => ({
    txId: bytesToHex(row.tx_id),
    chain: { from: row.chain_from, to: row.chain_to },
    firstSeen: row.first_seen,
    raw: new Uint8Array(row.raw),
  }));
};

interface DroppedRow {
  readonly code: string;
  readonly detail: string;
  readonly conflicting_tx_id: Buffer | null;
  readonly dropped_at: bigint;
}

export const loadDropReason = async (
  database: SchemaStatements,
  txId: Hash,
): Promise<DroppedTransaction | undefined> => {
  const rows = await database.query<DroppedRow>(
    'drop-reason',
    `SELECT code, detail, conflicting_tx_id, dropped_at FROM ${database.schema}.dropped_transaction WHERE tx_id = $1`,
    [hexToBytes(txId)],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { code, detail, conflicting_tx_id: conflicting, dropped_at: droppedAt } = row;
  return { txId, code, detail, droppedAt, ...(conflicting && { conflictingTxId: bytesToHex(conflicting) }) };
};

export const forgetDropReasons = async (database: SchemaStatements, before: bigint): Promise<void> => {
  await database.query(
    'forget-drop-reasons',
    `DELETE FROM ${database.schema}.dropped_transaction WHERE dropped_at < $1`,
    [before],
  );
};
