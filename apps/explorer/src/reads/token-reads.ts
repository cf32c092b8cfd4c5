import { hashArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type HoldersAnswer } from '../answers/addresses.js';
import { type TokenDetailsAnswer, type TokenInfoAnswer } from '../answers/tokens.js';
import { type TransactionAnswer } from '../answers/transactions.js';
import { type TokenUnit } from './transaction-lines.js';
import { interfaceName } from '../blocks/interfaces.js';
import { fungibleMetadata, nftMetadata } from './metadata-reads.js';
import { bounds, first, type Page, type Part, partOf } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';

interface TokenRow {
  readonly token_id: number;
  readonly token: Buffer;
  readonly last_tx_id: bigint;
  readonly interface_id: string | null;
  readonly category: string | null;
}

const columns = 'token_id, token, last_tx_id, interface_id, category';

const infoOf = ({ token, interface_id, category }: TokenRow): TokenInfoAnswer => ({
  token: bytesToHex(token),
  stdInterfaceId: interfaceName(interface_id),
  interfaceId: interface_id,
  category,
});

/** Which tokens: all, those of a category, or those with an interface id. */
export type TokenFilter =
  | { readonly by: 'all' }
  | { readonly by: 'category'; readonly category: string }
  | { readonly by: 'interface_id'; readonly interfaceId: string };

/**
 * Tokens with transactions, most recently used first. Of those last used in one transaction the newest comes first; those
 * that are new in one transaction keep its order.
 */
export const listTokens = async (
  { schema, query }: Snapshot,
  filter: TokenFilter,
  page: Page,
): Promise<Part<TokenInfoAnswer>> => {
  const [last, firstSeen, token] = page.after ?? [first, first, 0n];
  const wanted = filter.by === 'all' ? [] : [filter.by === 'category' ? filter.category : filter.interfaceId];
  const rows = await query<TokenRow & { first_tx_id: bigint }>(
    `tokens-by-${filter.by}`,
    `SELECT ${columns}, first_tx_id FROM (
       SELECT ${columns}, (SELECT min(x.tx_id) FROM ${schema}.token_txs x WHERE x.token_id = t.token_id) AS first_tx_id
       FROM ${schema}.tokens t
       WHERE tx_count > 0 AND last_tx_id <= $1 ${filter.by === 'all' ? '' : `AND ${filter.by} = $6`}) AS used
     WHERE last_tx_id < $1 OR first_tx_id < $2 OR (first_tx_id = $2 AND token_id > $3)
     ORDER BY last_tx_id DESC, first_tx_id DESC, token_id LIMIT $4 OFFSET $5`,
    [last, firstSeen, token, ...bounds(page), ...wanted],
  );
  const { items, next } = partOf(rows, page, ({ last_tx_id, first_tx_id, token_id }) => [
    last_tx_id,
    first_tx_id,
    BigInt(token_id),
  ]);
  return { items: items.map(infoOf), next };
};

/** The known ones of these tokens, each once, in the order of the request. */
export const findTokens = async ({ schema, query }: Snapshot, tokens: readonly Hash[]): Promise<TokenInfoAnswer[]> => {
  const distinct = [...new Set(tokens)];
  const rows = await query<TokenRow>(
    'tokens-by-id',
    `SELECT ${columns} FROM ${schema}.tokens WHERE tx_count > 0 AND token = ANY($1::bytea[])`,
    [hashArray(distinct)],
  );
  const infos = new Map(rows.map((row) => [bytesToHex(row.token), infoOf(row)]));
  return distinct.flatMap((token) => infos.get(token) ?? []);
};

/** Addresses that have ever had a token, by their bytes. */
export const addressesOfToken = async (
  { schema, query }: Snapshot,
  token: Hash,
  { limit, offset }: Page,
): Promise<string[]> => {
  const rows = await query<{ address: string }>(
    'addresses-of-token',
    `SELECT a.address FROM ${schema}.address_tokens h JOIN ${schema}.addresses a ON a.address_id = h.address_id
     WHERE h.token_id = (SELECT token_id FROM ${schema}.tokens WHERE token = $1)
     ORDER BY a.address COLLATE "C" LIMIT $2 OFFSET $3`,
    [Buffer.from(token, 'hex'), limit, offset],
  );
  return rows.map(({ address }) => address);
};

/** Holders of the coin, richest first; ties: first seen first. */
export const coinHolders = async ({ schema, query }: Snapshot, { limit, offset }: Page): Promise<HoldersAnswer> => [
  ...(await query<{ address: string; balance: string }>(
    'coin-holders',
    `SELECT address, balance::text AS balance FROM ${schema}.addresses a WHERE a.balance > 0
       ORDER BY a.balance DESC, address_id LIMIT $1 OFFSET $2`,
    [limit, offset],
  )),
];

/** Holders of a token, richest first; ties: first seen first. */
export const tokenHolders = async (
  { schema, query }: Snapshot,
  token: Hash,
  { limit, offset }: Page,
): Promise<HoldersAnswer> => [
  ...(await query<{ address: string; balance: string }>(
    'token-holders',
    `SELECT a.address, h.balance::text AS balance
       FROM ${schema}.address_tokens h JOIN ${schema}.addresses a ON a.address_id = h.address_id
       WHERE h.token_id = (SELECT token_id FROM ${schema}.tokens WHERE token = $1) AND h.balance > 0
       ORDER BY h.balance DESC, h.address_id LIMIT $2 OFFSET $3`,
    [Buffer.from(token, 'hex'), limit, offset],
  )),
];

/** Symbols and decimals of the fungible tokens in transactions, by their ids. */
export const fungibleUnits = async (
  { schema, query }: Snapshot,
  transactions: readonly Pick<TransactionAnswer, 'inputs' | 'outputs'>[],
): Promise<ReadonlyMap<Hash, TokenUnit>> => {
  const parties = transactions.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]);
  const ids = [...new Set(parties.flatMap(({ tokens = [] }) => tokens.map(({ id }) => id)))];
  if (ids.length === 0) return new Map();
  const rows = await query<{ token: Buffer; symbol: string; decimals: string }>(
    'fungible-units',
    `SELECT t.token, m.symbol, m.decimals::text AS decimals
     FROM ${schema}.tokens t JOIN ${schema}.fungible_metadata m ON m.token_id = t.token_id WHERE t.token = ANY($1::bytea[])`,
    [hashArray(ids)],
  );
  return new Map(
    rows.map(({ token, symbol, decimals }) => [bytesToHex(token), { symbol, decimals: BigInt(decimals) }]),
  );
};

/** All that is known of a token; undefined for one without transactions. */
export const tokenDetails = async (snapshot: Snapshot, token: Hash): Promise<TokenDetailsAnswer | undefined> => {
  const { schema, query } = snapshot;
  const rows = await query<TokenRow & { tx_count: bigint; holder_count: bigint; in_outputs: string }>(
    'token-details',
    `SELECT ${columns}, tx_count, holder_count, in_outputs::text AS in_outputs
     FROM ${schema}.tokens WHERE token = $1 AND tx_count > 0`,
    [Buffer.from(token, 'hex')],
  );
  const row = rows[0];
  if (!row) return undefined;
  const metadata = (await fungibleMetadata(snapshot, [token]))[0] ?? (await nftMetadata(snapshot, [token]))[0];
  return {
    ...infoOf(row),
    ...(metadata === undefined ? {} : { metadata }),
    txNumber: Number(row.tx_count),
    holders: Number(row.holder_count),
    supplyInOutputs: row.in_outputs,
  };
};
