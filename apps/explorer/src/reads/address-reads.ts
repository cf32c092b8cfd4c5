import { textArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import {
  type AddressInfoAnswer,
  type AddressOverviewAnswer,
  type TokenBalanceAnswer,
  type UtxoSummaryAnswer,
} from '../answers/addresses.js';
import { type TransactionInfoAnswer } from '../answers/transactions.js';
import { cursorOf, type Page } from '../database/page.js';
import { pendingOfAddress } from './pending-reads.js';
import { type Snapshot } from '../database/snapshot.js';
import { listTransactions } from './transaction-reads.js';

/**
 * Balance, its part that is locked at `now` (milliseconds since 1970), and the number of transactions; zeros for an
 * unknown address (protocol 08 §3.5).
 */
export const addressInfo = async (
  { schema, query }: Snapshot,
  address: string,
  now: number,
): Promise<AddressInfoAnswer> => {
  const rows = await query<{ balance: string; locked: string; tx_count: bigint }>(
    'address-info',
    `SELECT a.balance::text AS balance, a.tx_count,
       (SELECT coalesce(sum(o.amount), 0)::text FROM ${schema}.outputs o
        WHERE o.address_id = a.address_id AND o.lock_time >= $2) AS locked
     FROM ${schema}.addresses a WHERE a.address = $1`,
    [address, now],
  );
  const row = rows[0];
  return {
    balance: row?.balance ?? '0',
    lockedBalance: row?.locked ?? '0',
    txNumber: Number(row?.tx_count ?? 0n),
  };
};

/** Newest transactions of an address whose outputs a summary counts: so many rows are found in some 50 ms. */
const summarisedTransactions = 10_000;
/** An address with fewer unspent outputs gets them one by one. */
const listedOutputs = 400;

/**
 * Unspent outputs `u` of the newest $2 transactions of address $1, with the given columns. The inner query is a fence: by
 * the key of each transaction, whatever the planner thinks of their number.
 */
const newestUnspent = (schema: string, columns: string): string =>
  `(SELECT address_id, tx_id FROM ${schema}.address_txs
     WHERE address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
     ORDER BY tx_id DESC LIMIT $2) l
   CROSS JOIN LATERAL (SELECT ${columns} FROM ${schema}.outputs o
     WHERE o.tx_id = l.tx_id AND o.address_id = l.address_id AND o.spent_by IS NULL OFFSET 0) u`;

interface UnspentRow {
  readonly key: Buffer;
  readonly amount: string;
  readonly lock_time: bigint | null;
  readonly hash: Buffer;
}

/** Unspent outputs of an address, the largest first, with the time of a lock that has not ended. */
const unspentOutputs = async (
  { schema, query }: Snapshot,
  address: string,
  now: number,
): Promise<UtxoSummaryAnswer['outputs']> => {
  const rows = await query<UnspentRow>(
    'unspent-outputs',
    `SELECT u.key, u.amount::text AS amount, CASE WHEN u.lock_time >= $3 THEN u.lock_time END AS lock_time,
       (SELECT t.hash FROM ${schema}.transactions t WHERE t.tx_id = u.tx_id) AS hash
     FROM ${newestUnspent(schema, 'o.tx_id, o.output_order, o.key, o.amount, o.lock_time')}
     ORDER BY u.amount DESC, u.tx_id DESC, u.output_order`,
    [address, summarisedTransactions, now],
  );
  return rows.map(({ key, amount, lock_time, hash }) => ({
    key: bytesToHex(key),
    attoCoinAmount: amount,
    txHash: bytesToHex(hash),
    ...(lock_time === null ? {} : { lockTime: Number(lock_time) }),
  }));
};

/**
 * How many unspent outputs an address has of which size, and when the next lock ends: an operation beyond protocol 08.
 * Sizes begin at 1, 2 and 5 times a power of ten. Of an address with more transactions than
 * `summarisedTransactions` the outputs of the newest are counted; `utxoNumber` is of all. Fewer outputs than
 * `listedOutputs` are listed, too.
 *
 * @param now milliseconds since 1970
 */
export const utxoSummary = async (snapshot: Snapshot, address: string, now: number): Promise<UtxoSummaryAnswer> => {
  const { schema, query } = snapshot;
  const sizes = await query<{ from: string; utxos: bigint; amount: string }>(
    'utxo-sizes',
    `SELECT CASE WHEN left(u.digits, 1) < '2' THEN '1' WHEN left(u.digits, 1) < '5' THEN '2' ELSE '5' END
         || repeat('0', length(u.digits) - 1) AS from,
       count(*) AS utxos, sum(u.amount)::text AS amount
     FROM ${newestUnspent(schema, 'o.amount, o.amount::text AS digits')}
     GROUP BY 1 ORDER BY max(u.amount)`,
    [address, summarisedTransactions],
  );
  const [row] = await query<{ utxo_count: bigint; lock_time: bigint | null; amount: string | null }>(
    'next-unlock',
    `SELECT a.utxo_count, n.lock_time, n.amount::text AS amount FROM ${schema}.addresses a
     LEFT JOIN LATERAL (SELECT o.lock_time, sum(o.amount) AS amount FROM ${schema}.outputs o
       WHERE o.address_id = a.address_id AND o.lock_time >= $2
       GROUP BY o.lock_time ORDER BY o.lock_time LIMIT 1) n ON true
     WHERE a.address = $1`,
    [address, now],
  );
  const utxoNumber = Number(row?.utxo_count ?? 0n);
  const countedNumber = Number(sizes.reduce((sum, { utxos }) => sum + utxos, 0n));
  const isListed = countedNumber === utxoNumber && utxoNumber < listedOutputs;
  return {
    utxoNumber,
    countedNumber,
    sizes: sizes.map(({ from, utxos, amount }) => ({ from, utxoNumber: Number(utxos), attoCoinAmount: amount })),
    ...(row?.lock_time && row.amount !== null
      ? { nextUnlock: { lockTime: Number(row.lock_time), attoCoinAmount: row.amount } }
      : {}),
    ...(isListed ? { outputs: await unspentOutputs(snapshot, address, now) } : {}),
  };
};

/** The newest applied transaction of an address. */
export const latestTransaction = async (
  { schema, query }: Snapshot,
  address: string,
): Promise<TransactionInfoAnswer | undefined> => {
  const rows = await query<{ hash: Buffer; coinbase: boolean; block_hash: Buffer; block_timestamp: bigint }>(
    'latest-transaction',
    `SELECT t.hash, t.coinbase, b.hash AS block_hash, b.block_timestamp
     FROM (SELECT tx_id FROM ${schema}.address_txs
       WHERE address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
       ORDER BY tx_id DESC LIMIT 1) l
     JOIN ${schema}.transactions t ON t.tx_id = l.tx_id
     JOIN ${schema}.blocks b ON b.main_chain AND b.block_id = l.tx_id >> 11`,
    [address],
  );
  const row = rows[0];
  return (
    row && {
      hash: bytesToHex(row.hash),
      blockHash: bytesToHex(row.block_hash),
      timestamp: Number(row.block_timestamp),
      coinbase: row.coinbase,
    }
  );
};

/** Which of these addresses have an applied transaction, in their order. */
export const usedAddresses = async ({ schema, query }: Snapshot, addresses: readonly string[]): Promise<boolean[]> => {
  const rows = await query<{ address: string }>(
    'used-addresses',
    `SELECT address FROM ${schema}.addresses WHERE address = ANY($1::text[]) AND tx_count > 0`,
    [textArray(addresses)],
  );
  const used = new Set(rows.map(({ address }) => address));
  return addresses.map((address) => used.has(address));
};

interface TokenBalanceRow {
  readonly token: Buffer;
  readonly balance: string;
  readonly locked: string;
}

const lockedAmount = (schema: string): string =>
  `(SELECT coalesce(sum(u.amount), 0)::text
    FROM ${schema}.outputs o CROSS JOIN LATERAL unnest(o.token_ids, o.token_amounts) AS u(token_id, amount)
    WHERE o.address_id = h.address_id AND o.lock_time >= $2 AND u.token_id = h.token_id)`;

const tokenBalanceOf = ({ token, balance, locked }: TokenBalanceRow): TokenBalanceAnswer => ({
  tokenId: bytesToHex(token),
  balance,
  lockedBalance: locked,
});

/** Tokens of an address with a balance, first seen first. @param now milliseconds since 1970 */
export const tokenBalances = async (
  { schema, query }: Snapshot,
  address: string,
  now: number,
  { limit, offset }: Page,
): Promise<TokenBalanceAnswer[]> => {
  const rows = await query<TokenBalanceRow>(
    'token-balances',
    `SELECT t.token, h.balance::text AS balance, ${lockedAmount(schema)} AS locked
     FROM (SELECT address_id, token_id, balance FROM ${schema}.address_tokens
       WHERE address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1) AND balance > 0
       ORDER BY token_id LIMIT $3 OFFSET $4) h
     JOIN ${schema}.tokens t ON t.token_id = h.token_id ORDER BY h.token_id`,
    [address, now, limit, offset],
  );
  return rows.map(tokenBalanceOf);
};

/** Balance of one token, zeros when the address never had it. @param now milliseconds since 1970 */
export const tokenBalance = async (
  { schema, query }: Snapshot,
  address: string,
  token: Hash,
  now: number,
): Promise<TokenBalanceAnswer> => {
  const rows = await query<TokenBalanceRow>(
    'token-balance',
    `SELECT t.token, h.balance::text AS balance, ${lockedAmount(schema)} AS locked
     FROM ${schema}.address_tokens h JOIN ${schema}.tokens t ON t.token_id = h.token_id
     WHERE h.address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1) AND t.token = $3`,
    [address, now, Buffer.from(token, 'hex')],
  );
  return rows[0] ? tokenBalanceOf(rows[0]) : { tokenId: token, balance: '0', lockedBalance: '0' };
};

/** Ids of tokens that an address has ever had, first seen first. */
export const tokensOfAddress = async (
  { schema, query }: Snapshot,
  address: string,
  { limit, offset }: Page,
): Promise<Hash[]> => {
  const rows = await query<{ token: Buffer }>(
    'tokens-of-address',
    `SELECT t.token FROM ${schema}.address_tokens h JOIN ${schema}.tokens t ON t.token_id = h.token_id
     WHERE h.address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)
     ORDER BY h.token_id LIMIT $2 OFFSET $3`,
    [address, limit, offset],
  );
  return rows.map(({ token }) => bytesToHex(token));
};

/** The public key of an address that has spent; undefined before. */
export const publicKeyOf = async ({ schema, query }: Snapshot, address: string): Promise<string | undefined> => {
  const rows = await query<{ public_key: Buffer | null }>(
    'public-key',
    `SELECT public_key FROM ${schema}.addresses WHERE address = $1`,
    [address],
  );
  const key = rows[0]?.public_key;
  return key ? bytesToHex(key) : undefined;
};

/** Bounds of an overview: tokens, and transactions of each kind. */
const overviewTokens = 100;
const overviewTransactions = 20;

/** Overview of an address, all of one moment: an operation beyond protocol 08. @param now milliseconds since 1970 */
export const addressOverview = async (
  snapshot: Snapshot,
  address: string,
  now: number,
): Promise<AddressOverviewAnswer> => {
  const page = { limit: overviewTransactions, offset: 0 };
  const { items, next } = await listTransactions(snapshot, 'address', [address], page);
  return {
    info: await addressInfo(snapshot, address, now),
    utxos: await utxoSummary(snapshot, address, now),
    tokens: await tokenBalances(snapshot, address, now, { limit: overviewTokens, offset: 0 }),
    pending: await pendingOfAddress(snapshot, address, { limit: overviewTransactions, offset: 0 }),
    transactions: [...items],
    ...(next === undefined ? {} : { nextCursor: cursorOf(next) }),
  };
};
