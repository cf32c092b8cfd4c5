import { addressOf, p2pkhOf, parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type FindingAnswer } from '../answers/search.js';
import { type Snapshot } from './snapshot.js';

/** Most findings of one search. */
const most = 10;

type Search = (snapshot: Snapshot, text: string) => Promise<FindingAnswer[]>;

/** The symbol of the token of a parameter, if its metadata are known. */
const symbolOf = (schema: string, parameter: '$1' | '$2'): string =>
  `(SELECT m.symbol FROM ${schema}.tokens t JOIN ${schema}.fungible_metadata m ON m.token_id = t.token_id
    WHERE t.token = ${parameter}) AS symbol`;

const tokenFinding = (id: string, symbol: string | null): FindingAnswer => ({
  kind: 'token',
  id,
  ...(symbol === null ? {} : { label: symbol }),
});

/** Everything that has this hash or id. */
const byHash: Search = async ({ schema, query }, text) => {
  const id = text.toLowerCase();
  const rows = await query<
    Readonly<Record<'block' | 'transaction' | 'pending' | 'token', boolean> & { symbol: string | null }>
  >(
    'search-hash',
    `SELECT EXISTS (SELECT FROM ${schema}.blocks WHERE hash = $1) AS block,
       EXISTS (SELECT FROM ${schema}.transactions WHERE hash = $1) AS transaction,
       EXISTS (SELECT FROM ${schema}.pending_txs WHERE hash = $1) AS pending,
       EXISTS (SELECT FROM ${schema}.tokens WHERE token = $1 AND tx_count > 0) AS token,
       ${symbolOf(schema, '$1')}`,
    [Buffer.from(id, 'hex')],
  );
  const found = rows[0]!;
  const kinds = ['block', 'transaction', 'pending'] as const;
  return [
    ...kinds.filter((kind) => found[kind]).map((kind) => ({ kind, id })),
    ...(found.token ? [tokenFinding(id, found.symbol)] : []),
  ];
};

const byPublicKey: Search = async (_snapshot, text) => [{ kind: 'address', id: addressOf(p2pkhOf(hexToBytes(text))) }];

/** An address, and the contract or token with the same 32 bytes. */
const byAddress: Search = async ({ schema, query }, address) => {
  const script = parseAddress(address);
  const found: FindingAnswer = { kind: 'address', id: address };
  if (script?.kind !== 'p2c') return [found];
  const rows = await query<{ contract: boolean; token: boolean; symbol: string | null }>(
    'search-contract',
    `SELECT EXISTS (SELECT FROM ${schema}.contracts
         WHERE contract_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $1)) AS contract,
       EXISTS (SELECT FROM ${schema}.tokens WHERE token = $2 AND tx_count > 0) AS token,
       ${symbolOf(schema, '$2')}`,
    [address, Buffer.from(script.contractId, 'hex')],
  );
  const { contract, token, symbol } = rows[0]!;
  return [
    found,
    ...(contract ? [{ kind: 'contract' as const, id: address }] : []),
    ...(token ? [tokenFinding(script.contractId, symbol)] : []),
  ];
};

const largestHeight = 2 ** 31 - 1;

/** Applied blocks of a height, by chain. */
const byHeight: Search = async ({ schema, query }, text) => {
  const height = Number(text);
  if (height > largestHeight) return [];
  const rows = await query<{ hash: Buffer; chain_from: number; chain_to: number }>(
    'search-height',
    `SELECT b.hash, b.chain_from, b.chain_to FROM ${schema}.chain_heads h
     JOIN ${schema}.blocks b ON b.main_chain AND b.chain_from = h.chain_from AND b.chain_to = h.chain_to AND b.height = $1
     ORDER BY b.chain_from, b.chain_to LIMIT $2`,
    [height, most],
  );
  return rows.map(({ hash, chain_from: from, chain_to: to }) => ({
    kind: 'block',
    id: bytesToHex(hash),
    label: `${from} -> ${to}`,
  }));
};

/** Fungible tokens whose symbol or name begins with a text, most holders first. */
const byName: Search = async ({ schema, query }, text) => {
  if (text.length < 2) return [];
  const prefix = `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const rows = await query<{ token: Buffer; symbol: string }>(
    'search-name',
    `SELECT t.token, m.symbol FROM ${schema}.fungible_metadata m JOIN ${schema}.tokens t ON t.token_id = m.token_id
     WHERE (lower(m.symbol) LIKE $1 OR lower(m.name) LIKE $1) AND t.tx_count > 0
     ORDER BY t.holder_count DESC, t.token_id LIMIT $2`,
    [prefix, most],
  );
  return rows.map(({ token, symbol }) => tokenFinding(bytesToHex(token), symbol));
};

/** Searches by the shape of a text; the first that fits is used. */
const searches: readonly { readonly fits: (text: string) => boolean; readonly search: Search }[] = [
  { fits: (text) => /^[0-9a-fA-F]{64}$/.test(text), search: byHash },
  { fits: (text) => /^[0-9a-fA-F]{66}$/.test(text), search: byPublicKey },
  { fits: (text) => /^[0-9]+$/.test(text), search: byHeight },
  { fits: (text) => parseAddress(text) !== undefined, search: byAddress },
  { fits: () => true, search: byName },
];

/** What fits a text of a person (protocol 08 §5.12); nothing is no error. */
export const findByText: Search = (snapshot, text) => {
  const trimmed = text.replaceAll('\0', '').trim();
  return searches.find(({ fits }) => fits(trimmed))!.search(snapshot, trimmed);
};
