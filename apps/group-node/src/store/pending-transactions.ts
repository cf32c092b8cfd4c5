import {
  byteaArray,
  type SchemaStatements,
  hashArray,
  int2Array,
  int8Array,
  prismaBytes,
  textArray,
} from '@shardnode/core/database';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type PrismaClient } from '../generated/prisma/client.js';
import { type CommitPart, inSlices } from './commit-part.js';
import { type DroppedTransaction, type PendingTransaction, type PoolChanges } from './model.js';
import { type RefusalName } from '@shardnode/protocol/validation';

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

/** Removals first, then additions: in a reorganisation both may concern one transaction. */
export const poolParts = (changes: PoolChanges): CommitPart[] => [
  ...inSlices(changes.removed ?? []).map((ids): CommitPart => {
    return { writes: 'remove_pending', values: [hashArray(ids)], rows: ids.length };
  }),
  ...inSlices(changes.dropped ?? []).map(droppedPart),
  ...inSlices(changes.added ?? []).map(addedPart),
];

/** The stored pool, oldest first. */
export const loadPending = async (prisma: PrismaClient): Promise<readonly PendingTransaction[]> => {
  const rows = await prisma.pendingTransaction.findMany({ orderBy: [{ firstSeen: 'asc' }, { txId: 'asc' }] });
  return rows.map(({ txId, chainFrom: from, chainTo: to, firstSeen, raw }) => ({
    txId: bytesToHex(txId),
    chain: { from, to },
    firstSeen,
    raw,
  }));
};

export const loadDropReason = async (prisma: PrismaClient, txId: Hash): Promise<DroppedTransaction | undefined> => {
  const row = await prisma.droppedTransaction.findUnique({ where: { txId: prismaBytes(hexToBytes(txId)) } });
  if (!row) return undefined;
  const { code, detail, conflictingTxId: conflicting, droppedAt } = row;
  return {
    txId,
    code: code as RefusalName,
    detail,
    droppedAt,
    ...(conflicting && { conflictingTxId: bytesToHex(conflicting) }),
  };
};

export const forgetDropReasons = async (database: SchemaStatements, before: bigint): Promise<void> => {
  await database.query(
    'forget-drop-reasons',
    `DELETE FROM ${database.schema}.dropped_transaction WHERE dropped_at < $1`,
    [before],
  );
};
