import { type SchemaStatements, type Statements } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { outputOfStateValue, referenceOfKey, trieScan } from '@shardnode/protocol/state';
import { type ProjectionCheck, type Utxo } from './model.js';
import { type StateSource } from './projection.js';
import { type CommitPart, writePartsIn } from './commit-part.js';
import { type ProjectionHead } from './utxo-queries.js';
import { headPart, ownerOf, utxoColumns, type UtxoRow, utxoParts } from './utxo-rows.js';

/** All asset outputs of a state, by ascending key of the trie. */
const outputsOfState = async (source: StateSource, root: Hash): Promise<readonly Utxo[]> => {
  const entries = await trieScan(source, root, new Uint8Array(0), Number.POSITIVE_INFINITY);
  return entries.flatMap(({ key, value }) => {
    const output = outputOfStateValue(value);
    return output.kind === 'asset' ? [{ reference: referenceOfKey(key), output }] : [];
  });
};

type OwnedRow = UtxoRow & { readonly owner: string };

/** All fields of a row as text, to compare outputs. */
const printOfRow = (row: OwnedRow): string =>
  [
    row.hint,
    row.owner.replaceAll('-', ''),
    row.amount,
    row.lock_time,
    row.token_id ? bytesToHex(row.token_id) : '',
    row.token_amount ?? '',
    bytesToHex(row.additional_data),
  ].join('|');

const printOfUtxo = ({ reference, output }: Utxo): string =>
  [
    reference.hint,
    ownerOf(output.lockupScript),
    output.amount,
    output.lockTime,
    output.tokens[0]?.id ?? '',
    output.tokens[0]?.amount ?? '',
    bytesToHex(output.additionalData),
  ].join('|');

const pageSize = 500;

async function* rowsOfProjection(database: SchemaStatements): AsyncIterable<readonly OwnedRow[]> {
  for (let after: Uint8Array = new Uint8Array(0); ;) {
    const rows = await database.query<OwnedRow>(
      'all-utxos',
      `SELECT owner::text AS owner, ${utxoColumns} FROM ${database.schema}.utxo WHERE key > $1 ORDER BY key LIMIT ${pageSize}`,
      [after],
    );
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.key;
  }
}

interface Sums {
  amount: bigint;
  count: bigint;
}

const checkSums = async (database: SchemaStatements, utxos: readonly Utxo[]): Promise<string | undefined> => {
  const sums = new Map<string, Sums>();
  const add = (key: string, amount: bigint): void => {
    const sum = sums.get(key) ?? { amount: 0n, count: 0n };
    sums.set(key, { amount: sum.amount + amount, count: sum.count + 1n });
  };
  for (const { output } of utxos) {
    const owner = ownerOf(output.lockupScript);
    add(`${owner} ${'0'.repeat(64)}`, output.amount);
    for (const token of output.tokens) add(`${owner} ${token.id}`, token.amount);
  }
  const rows = await database.query<{ owner: string; token_id: Buffer; amount: string; utxo_count: bigint }>(
    'all-balances',
    `SELECT owner::text AS owner, token_id, amount::text AS amount, utxo_count FROM ${database.schema}.address_balance
     WHERE utxo_count <> 0 OR amount <> 0`,
  );
  for (const row of rows) {
    const key = `${row.owner.replaceAll('-', '')} ${bytesToHex(row.token_id)}`;
    const sum = sums.get(key);
    if (sum?.amount !== BigInt(row.amount) || sum.count !== row.utxo_count) return `the sum of ${key} is ${row.amount}`;
    sums.delete(key);
  }
  const left = sums.keys().next();
  return left.done ? undefined : `there is no sum of ${left.value}`;
};

/** Compares every row and sum of the projection with the output trie at its head. */
export const checkProjection = async (
  database: SchemaStatements,
  source: StateSource,
  head: ProjectionHead,
): Promise<ProjectionCheck> => {
  const utxos = await outputsOfState(source, await source.outputRoot(head.hash));
  const expected = new Map(utxos.map((utxo) => [utxo.reference.key, printOfUtxo(utxo)]));
  const utxoCount = expected.size;
  const differs = (difference: string): ProjectionCheck => ({ equal: false, difference, utxoCount });
  for await (const rows of rowsOfProjection(database)) {
    for (const row of rows) {
      const key = bytesToHex(row.key);
      const print = expected.get(key);
      if (print === undefined) return differs(`output ${key} is not in the state of ${head.hash}`);
      if (print !== printOfRow(row)) return differs(`output ${key}: ${printOfRow(row)} instead of ${print}`);
      expected.delete(key);
    }
  }
  const left = expected.keys().next();
  if (!left.done) return differs(`output ${left.value} of the state is missing`);
  const difference = await checkSums(database, utxos);
  return difference === undefined ? { equal: true, utxoCount } : differs(difference);
};

/** Rebuilds the projection from the trie, in one transaction. @param statementPatience milliseconds */
export const rebuildProjection = async (
  database: SchemaStatements,
  source: StateSource,
  head: ProjectionHead,
  statementPatience: number,
): Promise<void> => {
  const utxos = await outputsOfState(source, await source.outputRoot(head.hash));
  const parts: readonly CommitPart[] = [
    ...utxoParts({ spent: [], created: utxos }, head.timestamp),
    headPart(head.hash, head.timestamp),
  ];
  const run = async (transaction: Statements): Promise<void> => {
    await transaction.query('clear-utxos', `DELETE FROM ${database.schema}.utxo`);
    await transaction.query('clear-balances', `DELETE FROM ${database.schema}.address_balance`);
    await writePartsIn(transaction, database.schema, parts);
  };
  await database.transaction(run, { statementPatience });
};
