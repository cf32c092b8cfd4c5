import { addressOf, p2pkhOf, parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { lookOf, type Look, placeOnChain } from '@shardnode/http/searched-text';
import { type SearchHit } from '../answers/search.js';
import { findByBeginning } from './search-beginnings.js';
import { type Snapshot } from '../database/snapshot.js';

/** Most findings of one search. */
export const mostHits = 10;

type Search = (snapshot: Snapshot, text: string) => Promise<SearchHit[]>;

/** The symbol of the token of a parameter, if its metadata are known. */
const symbolOf = (schema: string, parameter: '$1' | '$2'): string =>
  `(SELECT m.symbol FROM ${schema}.tokens t JOIN ${schema}.fungible_metadata m ON m.token_id = t.token_id
    WHERE t.token = ${parameter}) AS symbol`;

const tokenHit = (id: string, symbol: string | null): SearchHit => ({
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
  const findings = [
    ...kinds.filter((kind) => found[kind]).map((kind) => ({ kind, id })),
    ...(found.token ? [tokenHit(id, found.symbol)] : []),
  ];
  if (findings.length > 0) return findings;
  const ofContract = await byAddress({ schema, query }, addressOf({ kind: 'p2c', contractId: id }));
  return ofContract.filter(({ kind }) => kind === 'contract');
};

const byPublicKey: Search = async (_snapshot, text) => [{ kind: 'address', id: addressOf(p2pkhOf(hexToBytes(text))) }];

/** An address, and the contract or token with the same 32 bytes. */
const byAddress: Search = async ({ schema, query }, address) => {
  const script = parseAddress(address);
  if (script === undefined) return [];
  const found: SearchHit = { kind: 'address', id: address };
  if (script.kind !== 'p2c') return [found];
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
    ...(token ? [tokenHit(script.contractId, symbol)] : []),
  ];
};

const largestHeight = 2 ** 31 - 1;

interface BlockOfHeight {
  readonly hash: Buffer;
  readonly chain_from: number;
  readonly chain_to: number;
}

const blockHit = ({ hash, chain_from: from, chain_to: to }: BlockOfHeight): SearchHit => ({
  kind: 'block',
  id: bytesToHex(hash),
  label: `${from} -> ${to}`,
});

/** Applied blocks of a height, by chain. */
const byHeight: Search = async ({ schema, query }, text) => {
  const height = Number(text);
  if (height > largestHeight) return [];
  const rows = await query<BlockOfHeight>(
    'search-height',
    `SELECT b.hash, b.chain_from, b.chain_to FROM ${schema}.chain_heads h
     JOIN ${schema}.blocks b ON b.main_chain AND b.chain_from = h.chain_from AND b.chain_to = h.chain_to AND b.height = $1
     ORDER BY b.chain_from, b.chain_to LIMIT $2`,
    [height, mostHits],
  );
  return rows.map(blockHit);
};

/** The applied block of a height of one chain. A chain alone is nothing that an answer names. */
const byPlace: Search = async ({ schema, query }, text) => {
  const { from, to, height = Infinity } = placeOnChain(text)!;
  if (height > largestHeight) return [];
  const rows = await query<BlockOfHeight>(
    'search-place',
    `SELECT hash, chain_from, chain_to FROM ${schema}.blocks
     WHERE main_chain AND chain_from = $1 AND chain_to = $2 AND height = $3`,
    [from, to, height],
  );
  return rows.map(blockHit);
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
    [prefix, mostHits],
  );
  return rows.map(({ token, symbol }) => tokenHit(bytesToHex(token), symbol));
};

/** The findings of both, those of the first one before the others. */
const both =
  (first: Search, second: Search): Search =>
  async (snapshot, text) => {
    const found = await first(snapshot, text);
    const isKnown = ({ kind, id }: SearchHit) => found.some((each) => each.kind === kind && each.id === id);
    return [...found, ...(await second(snapshot, text)).filter((each) => !isKnown(each))];
  };

/** Tokens by their names; ids and addresses by their beginning. */
const byBeginning = both(byName, (snapshot, text) => findByBeginning(snapshot, text, mostHits));

const searches: Readonly<Record<Look, Search>> = {
  empty: async () => [],
  hash: byHash,
  publicKey: byPublicKey,
  height: both(byHeight, byBeginning),
  place: byPlace,
  // One without its last character can be an address, too.
  address: both(byAddress, byBeginning),
  brokenHash: byBeginning,
  shortened: byBeginning,
  beginning: byBeginning,
  link: byName,
  name: byBeginning,
  other: byBeginning,
};

/** Searches by free text, as `searchedText` returns it (protocol 08 §5.12). An empty result is not an error. */
export const findByText: Search = async (snapshot, text) =>
  (await searches[lookOf(text)](snapshot, text)).slice(0, mostHits);
