import { byteaArray, int4Array, int8Array, textArray } from '@shardnode/core/database';
import { type IndexTransaction } from './index-transaction.js';
import {
  type AddressToken,
  type LedgerSlice,
  pairKey,
  type SliceOutput,
  type TransactionParts,
} from './ledger-slice.js';

/** `address_id` and `tx_id`. */
export type AddressTx = readonly [bigint, bigint];

interface Change {
  amount: bigint;
  outputs: bigint;
  transactions: bigint;
}

class Changes<Key> {
  private readonly changes = new Map<Key, Change>();

  add(key: Key, { amount = 0n, outputs = 0n, transactions = 0n }: Partial<Change>): void {
    const change = this.changes.get(key);
    if (change) {
      change.amount += amount;
      change.outputs += outputs;
      change.transactions += transactions;
    } else this.changes.set(key, { amount, outputs, transactions });
  }

  entries(): [Key, Change][] {
    return [...this.changes];
  }
}

/** A row of address_txs, token_txs and address_token_txs comes or goes. */
interface PartRows {
  readonly addresses: [bigint, bigint][];
  readonly tokens: [number, bigint][];
  readonly pairs: [AddressToken, bigint][];
}

const noRows = (): PartRows => ({ addresses: [], tokens: [], pairs: [] });

/** Rows of `a` that are not in `b`. */
const collectMissing = (rows: PartRows, txId: bigint, a: TransactionParts, b: TransactionParts): void => {
  for (const addressId of a.addresses) if (!b.addresses.has(addressId)) rows.addresses.push([addressId, txId]);
  for (const tokenId of a.tokens) if (!b.tokens.has(tokenId)) rows.tokens.push([tokenId, txId]);
  for (const [key, pair] of a.pairs) if (!b.pairs.has(key)) rows.pairs.push([pair, txId]);
};

const unspent = (spending: SliceOutput['now']): bigint => (spending === 'unspent' ? 1n : 0n);

const writeParts = (transaction: IndexTransaction, verb: 'insert' | 'delete', rows: PartRows): void => {
  const { addresses, tokens, pairs } = rows;
  const first = <T>(list: readonly [T, bigint][]): T[] => list.map(([value]) => value);
  const txIds = (list: readonly [unknown, bigint][]): Buffer => int8Array(list.map(([, txId]) => txId));
  if (addresses.length > 0) {
    transaction.write(`${verb}AddressTxs`, [int8Array(first(addresses)), txIds(addresses)]);
  }
  if (tokens.length > 0) {
    transaction.write(`${verb}TokenTxs`, [int4Array(first(tokens)), txIds(tokens)]);
  }
  if (pairs.length === 0) return;
  const addressIds = int8Array(first(pairs).map(({ addressId }) => addressId));
  const tokenIds = int4Array(first(pairs).map(({ tokenId }) => tokenId));
  transaction.write(`${verb}AddressTokenTxs`, [addressIds, tokenIds, txIds(pairs)]);
};

/** The rows of the slice's transactions in address_txs, token_txs and address_token_txs, as differences. */
const partRows = (slice: LedgerSlice): { readonly inserted: PartRows; readonly deleted: PartRows } => {
  const inserted = noRows();
  const deleted = noRows();
  for (const { txId, before, after } of slice.partChanges()) {
    collectMissing(inserted, txId, after, before);
    collectMissing(deleted, txId, before, after);
  }
  return { inserted, deleted };
};

const totalChanges = (slice: LedgerSlice, inserted: PartRows, deleted: PartRows) => {
  const addresses = new Changes<bigint>();
  const tokens = new Changes<number>();
  const pairs = new Changes<string>();
  const ofPair = new Map<string, AddressToken>();
  for (const { stored, now, addressId, amount, tokens: held } of slice.outputs) {
    const outputs = unspent(now) - unspent(stored);
    if (outputs === 0n) continue;
    addresses.add(addressId, { amount: outputs * amount, outputs });
    for (const { tokenId, amount: tokenAmount } of held) {
      const pair = { addressId, tokenId };
      ofPair.set(pairKey(pair), pair);
      tokens.add(tokenId, { amount: outputs * tokenAmount });
      pairs.add(pairKey(pair), { amount: outputs * tokenAmount });
    }
  }
  for (const [rows, sign] of [
    [inserted, 1n],
    [deleted, -1n],
  ] as const) {
    for (const [addressId] of rows.addresses) addresses.add(addressId, { transactions: sign });
    for (const [tokenId] of rows.tokens) tokens.add(tokenId, { transactions: sign });
    for (const [pair] of rows.pairs) {
      ofPair.set(pairKey(pair), pair);
      pairs.add(pairKey(pair), { transactions: sign });
    }
  }
  return { addresses, tokens, pairs, ofPair };
};

const counts = (rows: readonly [unknown, Change][], field: 'outputs' | 'transactions'): Buffer =>
  int8Array(rows.map(([, change]) => change[field]));
const amounts = (rows: readonly [unknown, Change][]): Buffer =>
  textArray(rows.map(([, { amount }]) => amount.toString()));

/** Rows of address_txs that came and went: `address_id` and `tx_id`. */
export interface AddressTxChanges {
  readonly inserted: readonly AddressTx[];
  readonly deleted: readonly AddressTx[];
}

/**
 * Writes the lists of transactions by address and token, and the totals of addresses and tokens (protocol 08 §4.5 steps
 * 6 and 7, §4.7): the differences that the slice makes.
 * @param publicKeys by `address_id`, of signers whose key the slice shows
 */
export const writeTotals = (
  transaction: IndexTransaction,
  slice: LedgerSlice,
  publicKeys: ReadonlyMap<bigint, Uint8Array> = new Map(),
): AddressTxChanges => {
  const { inserted, deleted } = partRows(slice);
  writeParts(transaction, 'delete', deleted);
  writeParts(transaction, 'insert', inserted);
  const changes = totalChanges(slice, inserted, deleted);
  for (const addressId of publicKeys.keys()) changes.addresses.add(addressId, {});
  const addresses = changes.addresses.entries();
  if (addresses.length > 0) {
    transaction.write('changeAddresses', [
      int8Array(addresses.map(([addressId]) => addressId)),
      amounts(addresses),
      counts(addresses, 'outputs'),
      counts(addresses, 'transactions'),
      byteaArray(addresses.map(([addressId]) => publicKeys.get(addressId))),
    ]);
  }
  const pairs = changes.pairs.entries();
  if (pairs.length > 0) {
    const addressIds = int8Array(pairs.map(([key]) => changes.ofPair.get(key)!.addressId));
    const tokenIds = int4Array(pairs.map(([key]) => changes.ofPair.get(key)!.tokenId));
    transaction.write('changeAddressTokens', [addressIds, tokenIds, amounts(pairs), counts(pairs, 'transactions')]);
    if (deleted.pairs.length > 0) transaction.write('deleteAddressTokens', [addressIds, tokenIds]);
  }
  const tokens = changes.tokens.entries();
  if (tokens.length > 0) {
    const tokenIds = int4Array(tokens.map(([tokenId]) => tokenId));
    transaction.write('changeTokens', [tokenIds, amounts(tokens), counts(tokens, 'transactions')]);
  }
  return { inserted: inserted.addresses, deleted: deleted.addresses };
};
