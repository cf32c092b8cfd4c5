import { type Database } from '@shardnode/core/database';
import { type Snapshot } from './snapshot.js';

/** Each column as text, NULL as '-', in the form of `row`. */
const text = (...columns: readonly string[]): string =>
  columns.map((column) => `coalesce((${column})::text, '-')`).join(" || ' ' || ");
const hex = (column: string): string => `encode(${column}, 'hex')`;
const bytes = (column: string): string => `'x' || encode(${column}, 'hex')`;
const address = (column: string, s: string): string =>
  `SELECT address FROM ${s}.addresses WHERE address_id = ${column}`;
const token = (column: string, s: string): string =>
  `SELECT encode(token, 'hex') FROM ${s}.tokens WHERE token_id = ${column}`;

/** For each table the text of a row, and which rows. Rows of the dimensions that nothing uses are left out. */
const tables = (s: string): Readonly<Record<string, readonly [string, string]>> => ({
  blocks: [
    text(
      hex('hash'),
      'block_id',
      'chain_from',
      'chain_to',
      'height',
      'block_timestamp',
      'tx_count',
      hex('parent'),
      'hashrate',
    ),
    'blocks WHERE main_chain AND body IS NULL',
  ],
  transactions: [
    text(
      'tx_id',
      hex('hash'),
      'coinbase',
      'script_execution_ok',
      'gas_amount',
      "(SELECT string_agg(encode(x, 'hex'), ',') FROM unnest(input_signatures) x)",
    ),
    'transactions',
  ],
  outputs: [
    text(
      'tx_id',
      'output_order',
      hex('key'),
      'spent_by',
      address('r.address_id', s),
      'amount',
      'hint',
      'contract',
      'fixed',
      'lock_time',
      bytes('message'),
      `SELECT string_agg(encode(t.token, 'hex') || ':' || u.amount, ',' ORDER BY u.place) FROM unnest(r.token_ids, r.token_amounts) WITH ORDINALITY u (id, amount, place) JOIN ${s}.tokens t ON t.token_id = u.id`,
    ),
    'outputs',
  ],
  inputs: [
    text(
      'tx_id',
      'input_order',
      hex('key'),
      'conflict',
      'ref_tx_id',
      'ref_output_order',
      address('r.address_id', s),
      'hint',
      'contract',
      bytes('unlock_script'),
    ),
    'inputs',
  ],
  address_txs: [text(address('r.address_id', s), 'tx_id'), 'address_txs'],
  token_txs: [text(token('r.token_id', s), 'tx_id'), 'token_txs'],
  address_token_txs: [text(address('r.address_id', s), token('r.token_id', s), 'tx_id'), 'address_token_txs'],
  addresses: [
    text('address', 'tx_count', 'utxo_count', 'balance', hex('public_key')),
    'addresses WHERE tx_count <> 0 OR utxo_count <> 0 OR balance <> 0',
  ],
  address_tokens: [text(address('r.address_id', s), token('r.token_id', s), 'balance', 'tx_count'), 'address_tokens'],
  tokens: [
    text(hex('token'), 'last_tx_id', 'tx_count', 'holder_count', 'in_outputs'),
    'tokens WHERE tx_count <> 0 OR last_tx_id <> 0 OR holder_count <> 0 OR in_outputs <> 0',
  ],
  events: [
    text(
      'block_id',
      'event_order',
      'tx_id',
      address('r.contract_id', s),
      address('r.input_address_id', s),
      'event_index',
      'jsonb_array_length(fields)',
    ),
    'events',
  ],
  contracts: [
    text(
      address('r.contract_id', s),
      'creation_tx_id',
      'creation_order',
      address('r.parent_id', s),
      hex('interface_guess'),
      "destruction_tx_id || ' ' || destruction_order",
    ),
    'contracts',
  ],
  chain_hours: [text('bucket', 'chain_from', 'chain_to', 'blocks', 'txs'), 'chain_hours'],
  hashrate_hours: [text('bucket', 'blocks', 'total'), 'hashrate_hours'],
  chain_heads: [text('chain_from', 'chain_to', hex('hash'), 'height', 'block_timestamp', 'tx_total'), 'chain_heads'],
});

/** The rows of an index, in the form that `expectedIndex` has. */
export const storedIndex = async (database: Database): Promise<Snapshot> => {
  const { schema } = database;
  const selects = Object.entries(tables(schema)).map(([table, [columns, rows]]) => {
    const [name, ...condition] = rows.split(' ');
    return `SELECT '${table}' AS source, ${columns} AS line FROM ${schema}.${name} r ${condition.join(' ')}`;
  });
  const found = await database.query<{ source: string; line: string }>('snapshot', selects.join(' UNION ALL '));
  const snapshot: Record<string, string[]> = Object.fromEntries(
    Object.keys(tables(schema)).map((table) => [table, []]),
  );
  for (const { source, line } of found) snapshot[source]!.push(line);
  for (const rows of Object.values(snapshot)) rows.sort();
  return snapshot;
};
