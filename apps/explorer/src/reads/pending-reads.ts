import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type MempoolAnswer } from '../answers/transactions.js';
import { type Page } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';

interface PendingRow {
  readonly hash: Buffer;
  readonly chain_from: number;
  readonly chain_to: number;
  readonly gas_amount: number;
  readonly gas_price: string;
  readonly last_seen: bigint;
  readonly inputs: MempoolAnswer['inputs'];
  readonly outputs: MempoolAnswer['outputs'];
}

const columns = 'p.hash, chain_from, chain_to, gas_amount, gas_price::text AS gas_price, last_seen, inputs, outputs';

const pendingOf = (row: PendingRow): MempoolAnswer => ({
  hash: bytesToHex(row.hash),
  chainFrom: row.chain_from,
  chainTo: row.chain_to,
  inputs: row.inputs,
  outputs: row.outputs,
  gasAmount: row.gas_amount,
  gasPrice: row.gas_price,
  lastSeen: Number(row.last_seen),
});

/** Pending transactions, newest first (protocol 08 §5.12). */
export const listPending = async ({ schema, query }: Snapshot, { limit, offset }: Page): Promise<MempoolAnswer[]> => {
  const rows = await query<PendingRow>(
    'list-pending',
    `SELECT ${columns} FROM ${schema}.pending_txs p ORDER BY last_seen DESC, hash LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return rows.map(pendingOf);
};

/** Pending transactions of an address, newest first. */
export const pendingOfAddress = async (
  { schema, query }: Snapshot,
  address: string,
  { limit, offset }: Page,
): Promise<MempoolAnswer[]> => {
  const rows = await query<PendingRow>(
    'pending-of-address',
    `SELECT ${columns} FROM ${schema}.pending_tx_addresses a JOIN ${schema}.pending_txs p ON p.hash = a.hash
     WHERE a.address = $1 ORDER BY last_seen DESC, p.hash LIMIT $2 OFFSET $3`,
    [address, limit, offset],
  );
  return rows.map(pendingOf);
};

export const findPending = async ({ schema, query }: Snapshot, hash: Hash): Promise<MempoolAnswer | undefined> => {
  const rows = await query<PendingRow>(
    'pending-by-hash',
    `SELECT ${columns} FROM ${schema}.pending_txs p WHERE p.hash = $1`,
    [Buffer.from(hash, 'hex')],
  );
  return rows[0] && pendingOf(rows[0]);
};
