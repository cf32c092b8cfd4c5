import { textArray } from '@shardnode/core/database';
import { type TransactionAnswer } from '../answers/transactions.js';
import { type Page, type Part } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';
import { type IdRange, type IdRow, listedIds, listTransactions, transactionsById } from './transaction-reads.js';

/** Row ids of the transactions of an address, newest first, at most `most`. */
export const transactionIdsOfAddress = async (
  { schema, query }: Snapshot,
  address: string,
  { from, to }: IdRange,
  most: number,
): Promise<bigint[]> => {
  const rows = await query<IdRow>(
    'transaction-ids-of-address',
    `SELECT tx_id FROM ${schema}.address_txs WHERE address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
       AND tx_id >= $2 AND tx_id < $3 ORDER BY tx_id DESC LIMIT $4`,
    [address, from, to, most],
  );
  return rows.map(({ tx_id }) => tx_id);
};

/** Transactions of an address in which one request looks for those of a direction: so many are found in some 50 ms. */
const searchedTransactions = 10_000;

/** Role of a transaction for an address: out spends an output of it, in does not. */
export const directions = ['in', 'out'] as const;

interface OfAddress {
  readonly address: string;
  /** Undefined: both. */
  readonly direction?: (typeof directions)[number] | undefined;
  /** How many transactions are looked at for those of a direction. */
  readonly searched?: number;
}

/** Transactions of an address, newest first. Of one direction the part may be short, and lead on all the same. */
export const listTransactionsOfAddress = async (
  snapshot: Snapshot,
  { address, direction, searched = searchedTransactions }: OfAddress,
  page: Page,
  range?: IdRange,
): Promise<Part<TransactionAnswer>> => {
  if (direction === undefined) return listTransactions(snapshot, 'address', [address], page, range);
  const list = direction === 'in' ? 'addressIn' : 'addressOut';
  const part = await listTransactions(snapshot, list, [address, searched], page, range);
  if (part.next !== undefined || page.limit === 0) return part;
  const [last] = await listedIds(snapshot, 'address', [address], { ...page, limit: 1, offset: searched - 1 }, range);
  return last === undefined ? part : { ...part, next: [last.tx_id] };
};

/** Transactions of any of some addresses, each once, newest first. */
export const listTransactionsOfAddresses = async (
  snapshot: Snapshot,
  addresses: readonly string[],
  { limit, offset }: Page,
  { from, to }: IdRange,
): Promise<TransactionAnswer[]> => {
  const { schema, query } = snapshot;
  // Of each address no more than the part can need.
  const rows = await query<IdRow>(
    'list-transactions-addresses',
    `SELECT DISTINCT l.tx_id FROM ${schema}.addresses a
     CROSS JOIN LATERAL (SELECT tx_id FROM ${schema}.address_txs x
       WHERE x.address_id = a.address_id AND x.tx_id >= $2 AND x.tx_id < $3
       ORDER BY x.tx_id DESC LIMIT $4::int + $5::int) l
     WHERE a.address = ANY($1::text[]) ORDER BY l.tx_id DESC LIMIT $4::int OFFSET $5::int`,
    [textArray(addresses), from, to, limit, offset],
  );
  return transactionsById(
    snapshot,
    rows.map(({ tx_id }) => tx_id),
  );
};
