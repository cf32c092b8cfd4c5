import { int8Array } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type IndexTransaction } from './index-transaction.js';
import { type AddressTx } from './totals.js';

/** A transaction and addresses that it touches. */
export interface TouchedAddresses {
  readonly hash: Hash;
  readonly addresses: readonly string[];
}

/** The hashes and addresses of rows of address_txs, by transaction. Their transactions must be stored. */
export const touchedAddresses = async (
  transaction: IndexTransaction,
  rows: readonly AddressTx[],
): Promise<TouchedAddresses[]> => {
  if (rows.length === 0) return [];
  const found = await transaction.run<{ hash: Buffer; address: string }>('touched', [
    int8Array(rows.map(([addressId]) => addressId)),
    int8Array(rows.map(([, txId]) => txId)),
  ]);
  const byHash = new Map<Hash, string[]>();
  for (const { hash, address } of found) {
    const key = bytesToHex(hash);
    const addresses = byHash.get(key);
    if (addresses) addresses.push(address);
    else byHash.set(key, [address]);
  }
  return [...byHash].map(([hash, addresses]) => ({ hash, addresses }));
};
