import { hashArray, int4Array, int8Array } from '@shardnode/core/database';
import { launchTimestamp } from '@shardnode/protocol/block';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import {
  type InputAnswer,
  type OutputAnswer,
  type TokenAnswer,
  type TransactionAnswer,
} from '../answers/transactions.js';
import { firstTxIdAt, orderOfTx, txIdsOfBlock } from '../blocks/row-ids.js';
import { type SpentOutput } from '../blocks/transaction-forms.js';
import { expandUnlockScripts, isSameAsPreviousByte } from '../blocks/unlock-addresses.js';
import { bounds, first, type Page, type Part, partOf } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';

interface TransactionRow {
  readonly tx_id: bigint;
  readonly hash: Buffer;
  readonly version: number;
  readonly network_id: number;
  readonly coinbase: boolean;
  readonly script_execution_ok: boolean;
  readonly gas_amount: number;
  readonly gas_price: string;
  readonly script_opt: Buffer | null;
  readonly input_signatures: readonly Buffer[] | null;
  readonly script_signatures: readonly Buffer[] | null;
  readonly block_hash: Buffer;
  readonly block_timestamp: bigint;
  readonly chain_from: number;
  readonly chain_to: number;
  readonly height: number;
}

interface AssetsRow {
  readonly amount: string | null;
  readonly token_ids: readonly number[] | null;
  readonly token_amounts: readonly string[] | null;
}

interface InputRow extends AssetsRow {
  readonly tx_id: bigint;
  readonly key: Buffer;
  readonly hint: number;
  readonly contract: boolean;
  readonly unlock_script: Buffer | null;
  readonly address: string | null;
  readonly origin: Buffer | null;
}

interface OutputRow extends AssetsRow {
  readonly tx_id: bigint;
  readonly key: Buffer;
  readonly hint: number;
  readonly contract: boolean;
  readonly fixed: boolean;
  readonly amount: string;
  readonly lock_time: bigint | null;
  readonly message: Buffer | null;
  readonly address: string;
  readonly spender: Buffer | null;
}

/** Ids of tokens by their numbers. */
type TokenIds = ReadonlyMap<number, Hash>;

const assetColumns = 'o.amount::text AS amount, o.token_ids, o.token_amounts::text[] AS token_amounts';

const tokenIdsOf = async ({ schema, query }: Snapshot, rows: readonly AssetsRow[]): Promise<TokenIds> => {
  const numbers = [...new Set(rows.flatMap(({ token_ids }) => token_ids ?? []))];
  if (numbers.length === 0) return new Map();
  const found = await query<{ token_id: number; token: Buffer }>(
    'tokens-by-number',
    `SELECT token_id, token FROM ${schema}.tokens WHERE token_id = ANY($1::int[])`,
    [int4Array(numbers)],
  );
  return new Map(found.map(({ token_id, token }) => [token_id, bytesToHex(token)]));
};

/** Left out when there are none. */
const tokensOf = ({ token_ids, token_amounts }: AssetsRow, ids: TokenIds): { tokens?: TokenAnswer[] } =>
  token_ids === null ? {} : { tokens: token_ids.map((id, i) => ({ id: ids.get(id)!, amount: token_amounts![i]! })) };

const inputsOf = (rows: readonly InputRow[], ids: TokenIds): InputAnswer[] => {
  const scripts = expandUnlockScripts(
    rows.map(({ unlock_script }) => unlock_script),
    (script) => script === null || isSameAsPreviousByte(script),
  );
  return rows.map((row, i) => ({
    outputRef: { hint: row.hint, key: bytesToHex(row.key) },
    ...(row.unlock_script === null ? {} : { unlockScript: bytesToHex(scripts[i]!) }),
    ...(row.origin === null ? {} : { txHashRef: bytesToHex(row.origin) }),
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.amount === null ? {} : { attoCoinAmount: row.amount }),
    ...tokensOf(row, ids),
    contractInput: row.contract,
  }));
};

const outputOf = (row: OutputRow, ids: TokenIds): OutputAnswer => {
  const common = {
    hint: row.hint,
    key: bytesToHex(row.key),
    attoCoinAmount: row.amount,
    address: row.address,
    ...tokensOf(row, ids),
  };
  const spent = row.spender === null ? {} : { spent: bytesToHex(row.spender) };
  if (row.contract) return { type: 'ContractOutput', ...common, ...spent, fixedOutput: row.fixed };
  return {
    type: 'AssetOutput',
    ...common,
    ...(row.lock_time === null ? {} : { lockTime: Number(row.lock_time) }),
    message: row.message === null ? '' : bytesToHex(row.message),
    ...spent,
    fixedOutput: row.fixed,
  };
};

const groupedByTransaction = <Row extends { readonly tx_id: bigint }>(rows: readonly Row[]): Map<bigint, Row[]> => {
  const groups = new Map<bigint, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.tx_id);
    if (group) group.push(row);
    else groups.set(row.tx_id, [row]);
  }
  return groups;
};

const readTransactions = ({ schema, query }: Snapshot, ids: Buffer): Promise<readonly TransactionRow[]> =>
  query<TransactionRow>(
    'transactions-by-id',
    `SELECT t.tx_id, t.hash, t.version, t.network_id, t.coinbase, t.script_execution_ok, t.gas_amount,
       t.gas_price::text AS gas_price, t.script_opt, t.input_signatures, t.script_signatures,
       b.hash AS block_hash, b.block_timestamp, b.chain_from, b.chain_to, b.height
     FROM ${schema}.transactions t JOIN ${schema}.blocks b ON b.main_chain AND b.block_id = t.tx_id >> 11
     WHERE t.tx_id = ANY($1::int8[])`,
    [ids],
  );

const readInputs = ({ schema, query }: Snapshot, ids: Buffer): Promise<readonly InputRow[]> =>
  query<InputRow>(
    'inputs-of-transactions',
    `SELECT i.tx_id, i.key, i.hint, i.contract, i.unlock_script, a.address, r.hash AS origin, ${assetColumns}
     FROM ${schema}.inputs i
     LEFT JOIN ${schema}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
     LEFT JOIN ${schema}.transactions r ON r.tx_id = i.ref_tx_id
     LEFT JOIN ${schema}.addresses a ON a.address_id = coalesce(o.address_id, i.address_id)
     WHERE i.tx_id = ANY($1::int8[]) ORDER BY i.tx_id, i.input_order`,
    [ids],
  );

const readOutputs = ({ schema, query }: Snapshot, ids: Buffer): Promise<readonly OutputRow[]> =>
  query<OutputRow>(
    'outputs-of-transactions',
    `SELECT o.tx_id, o.key, o.hint, o.contract, o.fixed, o.lock_time, o.message, a.address, s.hash AS spender,
       ${assetColumns}
     FROM ${schema}.outputs o
     JOIN ${schema}.addresses a ON a.address_id = o.address_id
     LEFT JOIN ${schema}.transactions s ON s.tx_id = o.spent_by
     WHERE o.tx_id = ANY($1::int8[]) ORDER BY o.tx_id, o.output_order`,
    [ids],
  );

const transactionOf = (row: TransactionRow, inputs: InputAnswer[], outputs: OutputAnswer[]): TransactionAnswer => ({
  hash: bytesToHex(row.hash),
  blockHash: bytesToHex(row.block_hash),
  timestamp: Number(row.block_timestamp),
  inputs,
  outputs,
  version: row.version,
  networkId: row.network_id,
  scriptOpt: row.script_opt && bytesToHex(row.script_opt),
  gasAmount: row.gas_amount,
  gasPrice: row.gas_price,
  scriptExecutionOk: row.script_execution_ok,
  inputSignatures: (row.input_signatures ?? []).map(bytesToHex),
  scriptSignatures: (row.script_signatures ?? []).map(bytesToHex),
  coinbase: row.coinbase,
  chainFrom: row.chain_from,
  chainTo: row.chain_to,
  blockHeight: row.height,
  txOrder: orderOfTx(row.tx_id),
});

/**
 * Applied transactions in the order of these row ids: four statements, whatever their number (protocol 08 §7.4). Unknown
 * ones are left out.
 */
export const transactionsById = async (snapshot: Snapshot, ids: readonly bigint[]): Promise<TransactionAnswer[]> => {
  if (ids.length === 0) return [];
  const wanted = int8Array(ids);
  const transactions = await readTransactions(snapshot, wanted);
  const inputs = await readInputs(snapshot, wanted);
  const outputs = await readOutputs(snapshot, wanted);
  const tokenIds = await tokenIdsOf(snapshot, [...inputs, ...outputs]);
  const rowById = new Map(transactions.map((row) => [row.tx_id, row]));
  const inputsById = groupedByTransaction(inputs);
  const outputsById = groupedByTransaction(outputs);
  return ids.flatMap((id) => {
    const row = rowById.get(id);
    if (!row) return [];
    const outputsOfRow = (outputsById.get(id) ?? []).map((output) => outputOf(output, tokenIds));
    return transactionOf(row, inputsOf(inputsById.get(id) ?? [], tokenIds), outputsOfRow);
  });
};

export interface IdRow {
  readonly tx_id: bigint;
}

const ofAddress = (schema: string): string =>
  `${schema}.address_txs WHERE address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $5)`;

/** The newest $6 rows of the range. */
const searchedOfAddress = (schema: string): string =>
  `(SELECT address_id, tx_id FROM ${ofAddress(schema)} AND tx_id >= $1 AND tx_id < $2 ORDER BY tx_id DESC LIMIT $6) l`;

/** Whether transaction `l` spends an output of the address. A fence: by the key of each, whatever the planner thinks of their number. */
const spendsOwn = (schema: string): string =>
  `EXISTS (SELECT FROM ${schema}.inputs i
     LEFT JOIN ${schema}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
     WHERE i.tx_id = l.tx_id AND coalesce(o.address_id, i.address_id) = l.address_id OFFSET 0)`;

/** Lists of row ids of transactions, newest first: the table that has them, and its condition. */
const lists = {
  all: (schema: string) => `${schema}.transactions WHERE true`,
  // Without genesis, whose coins nobody paid.
  payments: (schema: string) =>
    `${schema}.transactions WHERE NOT coinbase AND tx_id >= ${firstTxIdAt(launchTimestamp)}`,
  address: (schema: string) => ofAddress(schema),
  addressIn: (schema: string) => `${searchedOfAddress(schema)} WHERE NOT ${spendsOwn(schema)}`,
  addressOut: (schema: string) => `${searchedOfAddress(schema)} WHERE ${spendsOwn(schema)}`,
  token: (schema: string) =>
    `${schema}.token_txs WHERE token_id = (SELECT token_id FROM ${schema}.tokens WHERE token = $5)`,
  addressToken: (schema: string) =>
    `${schema}.address_token_txs WHERE address_id = (SELECT address_id FROM ${schema}.addresses WHERE address = $5)
       AND token_id = (SELECT token_id FROM ${schema}.tokens WHERE token = $6)`,
} as const;

/** Row ids: the first that belongs to the list, and the one after the last. */
export interface IdRange {
  readonly from: bigint;
  readonly to: bigint;
}
const everything: IdRange = { from: 0n, to: first };

/** Of blocks, in milliseconds: row ids have 42 bits for it. */
const largestTime = 2n ** 42n - 1n;
const idAt = (time: bigint): bigint => firstTxIdAt(time > largestTime ? largestTime : time);

/** The row ids of transactions from `from`, before `to`, both milliseconds since 1970 (protocol 08 §3.2). */
export const idsOfTimes = (from: bigint, to: bigint): IdRange => ({ from: idAt(from), to: idAt(to) });

/** Row ids of a list, newest first: one more than the page has shows whether the list goes on. @param keys values of $5 and so on */
export const listedIds = (
  { schema, query }: Snapshot,
  list: keyof typeof lists,
  keys: readonly (string | number | Buffer)[],
  page: Page,
  range: IdRange = everything,
): Promise<readonly IdRow[]> => {
  const below = page.after?.[0] ?? range.to;
  return query<IdRow>(
    `list-transactions-${list}`,
    `SELECT tx_id FROM ${lists[list](schema)} AND tx_id >= $1 AND tx_id < $2 ORDER BY tx_id DESC LIMIT $3 OFFSET $4`,
    [range.from, below < range.to ? below : range.to, ...bounds(page), ...keys],
  );
};

/** A part of a list of transactions, newest first. */
export const listTransactions = async (
  snapshot: Snapshot,
  list: keyof typeof lists,
  keys: readonly (string | number | Buffer)[],
  page: Page,
  range?: IdRange,
): Promise<Part<TransactionAnswer>> => {
  const rows = await listedIds(snapshot, list, keys, page, range);
  const { items, next } = partOf(rows, page, ({ tx_id }) => [tx_id]);
  const ids = items.map(({ tx_id }) => tx_id);
  return { items: await transactionsById(snapshot, ids), next };
};

/** Transactions of an applied block, in the order of the block. */
export const transactionsOfBlock = async (
  snapshot: Snapshot,
  blockId: bigint,
  { limit, offset }: Page,
): Promise<TransactionAnswer[]> => {
  const { schema, query } = snapshot;
  const { from, to } = txIdsOfBlock(blockId);
  const rows = await query<IdRow>(
    'transactions-of-block',
    `SELECT tx_id FROM ${schema}.transactions WHERE tx_id >= $1 AND tx_id < $2 ORDER BY tx_id DESC LIMIT $3 OFFSET $4`,
    [from, to, limit, offset],
  );
  return transactionsById(
    snapshot,
    rows.map(({ tx_id }) => tx_id),
  );
};

/** The applied transaction with this hash, the newest one if a genesis block has it too. */
export const findTransaction = async (snapshot: Snapshot, hash: Hash): Promise<TransactionAnswer | undefined> => {
  const { schema, query } = snapshot;
  const rows = await query<IdRow>(
    'transaction-by-hash',
    `SELECT tx_id FROM ${schema}.transactions WHERE hash = $1 ORDER BY tx_id DESC LIMIT 1`,
    [Buffer.from(hash, 'hex')],
  );
  const [found] = await transactionsById(
    snapshot,
    rows.map(({ tx_id }) => tx_id),
  );
  return found;
};

/** Applied outputs by their keys, spent or not; unknown ones are left out. */
export const outputsByKey = async (
  snapshot: Snapshot,
  keys: readonly Hash[],
): Promise<ReadonlyMap<Hash, SpentOutput>> => {
  if (keys.length === 0) return new Map();
  const { schema, query } = snapshot;
  const rows = await query<AssetsRow & { key: Buffer; address: string; origin: Buffer; amount: string }>(
    'outputs-by-key',
    `SELECT DISTINCT ON (o.key) o.key, a.address, t.hash AS origin, ${assetColumns}
     FROM ${schema}.outputs o
     JOIN ${schema}.addresses a ON a.address_id = o.address_id
     JOIN ${schema}.transactions t ON t.tx_id = o.tx_id
     WHERE o.key = ANY($1::bytea[]) ORDER BY o.key, o.tx_id DESC`,
    [hashArray(keys)],
  );
  const tokenIds = await tokenIdsOf(snapshot, rows);
  return new Map(
    rows.map((row) => [
      bytesToHex(row.key),
      {
        txHashRef: bytesToHex(row.origin),
        address: row.address,
        attoCoinAmount: row.amount,
        ...tokensOf(row, tokenIds),
      },
    ]),
  );
};
