import { addressOf } from '@shardnode/protocol/address';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type SearchHit } from '../answers/search.js';
import { type Snapshot } from '../database/snapshot.js';

const idDigits = 64;

/** How ids and addresses begin, and end where somebody shortened them. */
interface Ends {
  readonly first: string;
  readonly last: string;
}

/** Characters that a search needs: fewer fit too many ids. Of two ends the second one narrows the choice. */
const fewest = { beginning: 5, ofTwoEnds: 4 };

/** `1DrDy`, `1DrDyT…rpQH`; undefined for a text that shortens no id and no address. */
const endsOf = (text: string): Ends | undefined => {
  const [, first, last] = /^([0-9A-Za-z]+)(?:…([0-9A-Za-z]+))?$/.exec(text) ?? [];
  if (first === undefined || first.length + (last ?? '').length > idDigits) return undefined;
  const needed = last === undefined ? fewest.beginning : fewest.ofTwoEnds;
  return first.length < needed ? undefined : { first, last: last ?? '' };
};

const isHex = /^[0-9a-f]+$/i;

const paddedId = (first: string, digit: '0' | 'f'): Buffer => Buffer.from(first.padEnd(idDigits, digit), 'hex');

/** Ids lie between two of them: no index of a column of bytes knows beginnings. */
const byId = async ({ schema, query }: Snapshot, { first, last }: Ends, most: number): Promise<SearchHit[]> => {
  const found = (kind: string, table: string, column: string, condition = ''): string =>
    `(SELECT '${kind}' AS kind, encode(${column}, 'hex') AS id FROM ${schema}.${table}
      WHERE ${column} >= $1 AND ${column} <= $2 AND right(encode(${column}, 'hex'), $3::int) = $4 ${condition}
      ORDER BY ${column} LIMIT $5::int)`;
  const rows = await query<Pick<SearchHit, 'kind' | 'id'>>(
    'search-id-beginning',
    [
      found('block', 'blocks', 'hash'),
      found('transaction', 'transactions', 'hash'),
      found('pending', 'pending_txs', 'hash'),
      found('token', 'tokens', 'token', 'AND tx_count > 0'),
    ].join(' UNION ALL '),
    [paddedId(first, '0'), paddedId(first, 'f'), last.length, last.toLowerCase(), most],
  );
  return rows.map(({ kind, id }) => ({ kind, id }));
};

/** The greatest text that begins so, in the order of bytes: digits of base58 come before `~`. */
const after = (first: string): string => `${first}~`;

/** Addresses in an interval, in the order of bytes. */
const addressesBetween = async (
  { schema, query }: Snapshot,
  [from, to]: readonly [string, string],
  last: string,
  most: number,
): Promise<string[]> => {
  const rows = await query<{ address: string }>(
    'search-address-beginning',
    `SELECT address FROM ${schema}.addresses
     WHERE address COLLATE "C" >= $1 AND address COLLATE "C" <= $2 AND right(address, $3::int) = $4
     ORDER BY address COLLATE "C" LIMIT $5::int`,
    [from, to, last.length, last, most],
  );
  return rows.map(({ address }) => address);
};

/** Contracts whose id lies between two: their addresses of one length sort as their ids. */
const contractsById = async (snapshot: Snapshot, { first, last }: Ends, most: number): Promise<SearchHit[]> => {
  const contractOf = (digit: '0' | 'f') => addressOf({ kind: 'p2c', contractId: bytesToHex(paddedId(first, digit)) });
  const [from, to] = [contractOf('0'), contractOf('f')];
  if (last !== '' || from.length !== to.length) return [];
  const addresses = await addressesBetween(snapshot, [from, to], '', most);
  return addresses.filter(({ length }) => length === from.length).map((id) => ({ kind: 'contract', id }));
};

/** Finds ids and addresses that begin with a text of five characters or more, at most `most` of each kind. */
export const findByBeginning = async (snapshot: Snapshot, text: string, most: number): Promise<SearchHit[]> => {
  const ends = endsOf(text);
  if (ends === undefined) return [];
  const { first, last } = ends;
  const addresses = await addressesBetween(snapshot, [first, after(first)], last, most);
  const found: SearchHit[] = addresses.map((id) => ({ kind: 'address', id }));
  if (!isHex.test(first + last)) return found;
  return [...(await byId(snapshot, ends, most)), ...(await contractsById(snapshot, ends, most)), ...found];
};
