import { type SchemaStatements, hashArray } from '@shardnode/core/database';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import {
  type AssetLockupScript,
  type Hash,
  type OutputReference,
  referenceId,
  zeroHash,
} from '@shardnode/protocol/primitives';
import { type Token } from '@shardnode/protocol/transaction';
import { type AddressBalance, type ListQuery, type SelectionQuery, type Utxo } from './model.js';
import { ownerOf, utxoColumns, utxoOfRow, type UtxoRow } from './utxo-rows.js';

interface SumRow {
  readonly token_id: Buffer | null;
  readonly amount: string;
  readonly number: bigint;
}

const tokensOf = (rows: readonly SumRow[]): Token[] =>
  rows
    .flatMap(({ token_id, amount }) => (token_id ? [{ id: bytesToHex(token_id), amount: BigInt(amount) }] : []))
    .filter(({ id }) => id !== zeroHash)
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/**
 * Sums of an address, read from the stored sums; only outputs that may be locked are added up.
 * @param headTimestamp of the head: with an earlier `now`, unmarked outputs may be locked too, and all are read
 */
export const loadBalance = async (
  database: SchemaStatements,
  lockupScript: AssetLockupScript,
  now: bigint,
  headTimestamp: bigint,
): Promise<AddressBalance> => {
  const { schema } = database;
  const owner = ownerOf(lockupScript);
  const sums = await database.query<SumRow>(
    'balance',
    `SELECT token_id, amount::text AS amount, utxo_count AS number FROM ${schema}.address_balance
     WHERE owner = $1 AND utxo_count > 0`,
    [owner],
  );
  const marked = now >= headTimestamp;
  const condition = `owner = $1 AND lock_time > $2${marked ? ' AND may_be_locked' : ''}`;
  const locked = await database.query<SumRow>(
    marked ? 'locked' : 'locked-all',
    `SELECT NULL::bytea AS token_id, coalesce(sum(amount), 0)::text AS amount, count(*) AS number
       FROM ${schema}.utxo WHERE ${condition}
     UNION ALL
     SELECT token_id, sum(token_amount)::text, count(*) FROM ${schema}.utxo
       WHERE ${condition} AND token_id IS NOT NULL GROUP BY token_id`,
    [owner, now],
  );
  const coin = sums.find(({ token_id }) => token_id !== null && bytesToHex(token_id) === zeroHash);
  return {
    amount: BigInt(coin?.amount ?? 0),
    lockedAmount: BigInt(locked[0]!.amount),
    tokens: tokensOf(sums),
    lockedTokens: tokensOf(locked),
    utxoCount: Number(coin?.number ?? 0n),
  };
};

/** Outputs without a token first, each part by amount and key. */
export const listUtxos = async (database: SchemaStatements, query: ListQuery): Promise<readonly Utxo[]> => {
  const { schema } = database;
  const { lockupScript, offset = 0, limit } = query;
  const owner = ownerOf(lockupScript);
  const page = async (kind: 'with' | 'without', from: number, count: number): Promise<readonly UtxoRow[]> =>
    database.query<UtxoRow>(
      `list-${kind}`,
      `SELECT ${utxoColumns} FROM ${schema}.utxo
       WHERE owner = $1 AND token_id IS ${kind === 'with' ? 'NOT NULL' : 'NULL'}
       ORDER BY utxo.amount, key OFFSET $2 LIMIT $3`,
      [owner, from, count],
    );
  const plain = await page('without', offset, limit);
  if (plain.length === limit) return plain.map((row) => utxoOfRow(row, lockupScript));
  let skipped = offset;
  if (plain.length > 0) skipped = 0;
  else if (offset > 0) {
    const rows = await database.query<{ number: bigint }>(
      'count-without',
      `SELECT count(*) AS number FROM ${schema}.utxo WHERE owner = $1 AND token_id IS NULL`,
      [owner],
    );
    skipped = offset - Number(rows[0]!.number);
  }
  const rest = await page('with', skipped, limit - plain.length);
  return [...plain, ...rest].map((row) => utxoOfRow(row, lockupScript));
};

/** Above every amount and time that an output can have. */
const infinity = '1' + '0'.repeat(80);
const never = (1n << 63n) - 1n;

interface Sorted {
  readonly name: string;
  readonly condition: string;
  /** Columns of the order, without the key. */
  readonly columns: readonly string[];
  readonly valuesOf: (utxo: Utxo) => readonly bigint[];
}

const sortedBy = (query: SelectionQuery): Sorted => {
  const amountOnly = { columns: ['utxo.amount'], valuesOf: (utxo: Utxo) => [utxo.output.amount] };
  switch (query.class.kind) {
    case 'withoutToken':
      return { name: 'plain', condition: 'token_id IS NULL', ...amountOnly };
    case 'withToken':
      return { name: 'bearing', condition: 'token_id IS NOT NULL', ...amountOnly };
    case 'token':
      return {
        name: 'token',
        condition: 'token_id = #token AND token_id IS NOT NULL',
        columns: ['utxo.token_amount', 'utxo.amount'],
        valuesOf: (utxo) => [utxo.output.tokens[0]!.amount, utxo.output.amount],
      };
  }
};

/** Runs one ordered read. `#1`, `#2` ... stand for the part's values, `#token` for the token id. */
const readSorted = async (
  database: SchemaStatements,
  query: SelectionQuery,
  sorted: Sorted,
  part: { readonly name: string; readonly where: string; readonly order: string; readonly values: readonly unknown[] },
  limit: number,
): Promise<Utxo[]> => {
  const { lockupScript, usableAt = never, below } = query;
  const where = part.where.replaceAll(/#(\d)/g, (_, index: string) => `$${Number(index) + 4}`);
  const condition = sorted.condition.replace('#token', `$${part.values.length + 5}`);
  const token = query.class.kind === 'token' ? [hexToBytes(query.class.tokenId)] : [];
  const rows = await database.query<UtxoRow>(
    `select-${sorted.name}-${part.name}`,
    `SELECT ${utxoColumns} FROM ${database.schema}.utxo
     WHERE owner = $1 AND ${condition} AND lock_time <= $2 AND utxo.amount < $3::numeric AND ${where}
     ORDER BY ${part.order} LIMIT $4`,
    [ownerOf(lockupScript), usableAt, below?.toString() ?? infinity, limit, ...part.values, ...token],
  );
  return rows.map((row) => utxoOfRow(row, lockupScript));
};

const tuple = (columns: readonly string[]): string => (columns.length === 1 ? columns[0]! : `(${columns.join(', ')})`);
const placeholders = (count: number): string => {
  const list = Array.from({ length: count }, (_, i) => `#${i + 1}::numeric`);
  return count === 1 ? list[0]! : `(${list.join(', ')})`;
};

const ascending = async (
  database: SchemaStatements,
  query: SelectionQuery,
  sorted: Sorted,
): Promise<readonly Utxo[]> => {
  const { columns } = sorted;
  const after = query.after ? sorted.valuesOf(query.after) : columns.map(() => -1n);
  const key = query.after ? hexToBytes(query.after.reference.key) : new Uint8Array(0);
  const numbers = columns.map((_, i) => `#${i + 1}::numeric`).join(', ');
  const where = `(${columns.join(', ')}, key) > (${numbers}, #${columns.length + 1}::bytea)`;
  const values = [...after.map(String), key];
  return readSorted(
    database,
    query,
    sorted,
    { name: 'up', where, order: [...columns, 'key'].join(', '), values },
    query.limit,
  );
};

/** Outputs that sort equal to the given values, by ascending key, after a key. */
const equals = (
  database: SchemaStatements,
  query: SelectionQuery,
  sorted: Sorted,
  values: readonly bigint[],
  afterKey: Uint8Array,
  limit: number,
): Promise<Utxo[]> => {
  const { columns } = sorted;
  const where = `${tuple(columns)} = ${placeholders(columns.length)} AND key > #${columns.length + 1}::bytea`;
  const part = { name: 'equal', where, order: 'key', values: [...values.map(String), afterKey] };
  return readSorted(database, query, sorted, part, limit);
};

const sameValues = (a: readonly bigint[], b: readonly bigint[]): boolean => a.every((value, i) => value === b[i]);

/**
 * A backward read of the index returns equal outputs with descending keys. Therefore the last group of equals of a page
 * is read again forwards, and the other groups, which are whole, are reversed.
 */
const descending = async (
  database: SchemaStatements,
  query: SelectionQuery,
  sorted: Sorted,
): Promise<readonly Utxo[]> => {
  const { columns, valuesOf } = sorted;
  const { after, limit } = query;
  const head = after
    ? await equals(database, query, sorted, valuesOf(after), hexToBytes(after.reference.key), limit)
    : [];
  const room = limit - head.length;
  if (room <= 0) return head;
  const upper = after ? valuesOf(after).map(String) : columns.map(() => infinity);
  const part = {
    name: 'down',
    where: `${tuple(columns)} < ${placeholders(columns.length)}`,
    order: columns.map((column) => `${column} DESC`).join(', '),
    values: upper,
  };
  const rows = await readSorted(database, query, sorted, part, room);
  const edge = rows.length < room ? undefined : valuesOf(rows.at(-1)!);
  const whole = edge ? rows.filter((row) => !sameValues(valuesOf(row), edge)) : rows;
  const tail = edge ? await equals(database, query, sorted, edge, new Uint8Array(0), room - whole.length) : [];
  return [...head, ...inGroups(whole, valuesOf), ...tail];
};

/** Groups of equals keep their order; inside each, keys ascend. */
const inGroups = (rows: readonly Utxo[], valuesOf: Sorted['valuesOf']): Utxo[] => {
  const groups: Utxo[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group && sameValues(valuesOf(group[0]!), valuesOf(row))) group.push(row);
    else groups.push([row]);
  }
  return groups.flatMap((group) => group.sort((a, b) => (a.reference.key < b.reference.key ? -1 : 1)));
};

/** A page for coin selection (protocol 02 §4.4). */
export const selectUtxos = (database: SchemaStatements, query: SelectionQuery): Promise<readonly Utxo[]> => {
  const sorted = sortedBy(query);
  return query.direction === 'ascending' ? ascending(database, query, sorted) : descending(database, query, sorted);
};

/** Ids (`referenceId`) of the references that the projection holds. */
export const presentUtxos = async (
  database: SchemaStatements,
  references: readonly OutputReference[],
): Promise<ReadonlySet<string>> => {
  if (references.length === 0) return new Set();
  const rows = await database.query<{ key: Buffer; hint: number }>(
    'present',
    `SELECT key, hint FROM ${database.schema}.utxo WHERE key = ANY ($1::bytea[])`,
    [hashArray(references.map(({ key }) => key))],
  );
  const present = new Set(rows.map(({ key, hint }) => referenceId({ hint, key: bytesToHex(key) })));
  return new Set(references.map(referenceId).filter((id) => present.has(id)));
};

export interface ProjectionHead {
  readonly hash: Hash;
  /** Milliseconds. */
  readonly timestamp: bigint;
}

export const loadHead = async (database: SchemaStatements): Promise<ProjectionHead | undefined> => {
  const rows = await database.query<{ block_hash: Buffer; timestamp: bigint }>(
    'head',
    `SELECT block_hash, timestamp FROM ${database.schema}.projection_head WHERE id = 0`,
  );
  return rows[0] && { hash: bytesToHex(rows[0].block_hash), timestamp: rows[0].timestamp };
};
