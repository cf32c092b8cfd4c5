import { int8Array } from '@shardnode/core/database';
import { parseAddress } from '@shardnode/protocol/address';
import { sealHeader, type SealedHeader } from '@shardnode/protocol/block';
import { bytesToHex, decode } from '@shardnode/protocol/encoding';
import { type AssetLockupScript, type Hash } from '@shardnode/protocol/primitives';
import { statefulScriptCodec } from '@shardnode/protocol/script';
import {
  type AssetOutput,
  type Output,
  type Transaction,
  transactionId,
  type TransactionInput,
  unlockScriptCodec,
} from '@shardnode/protocol/transaction';
import { txIdOf } from '../blocks/row-ids.js';
import { type Snapshot } from '../database/snapshot.js';

/** An applied block as the index has it: put together again from its rows. */
export interface AuditedBlock {
  readonly hash: Hash;
  readonly header: SealedHeader;
  readonly height: number;
  /** Height of the newest applied block of its chain. */
  readonly head: number;
  readonly transactions: readonly Transaction[];
  /** The row ids of the transactions, by their ids. */
  readonly txIds: ReadonlyMap<Hash, bigint>;
}

interface BlockColumns {
  readonly hash: Buffer;
  readonly block_id: bigint;
  readonly height: number;
  readonly head: number;
  readonly block_timestamp: bigint;
  readonly tx_count: number;
  readonly version: number;
  readonly nonce: Buffer;
  readonly target: Buffer;
  readonly dep_state_hash: Buffer;
  readonly txs_hash: Buffer;
  readonly deps: Buffer;
}

interface TransactionColumns {
  readonly tx_id: bigint;
  readonly version: number;
  readonly network_id: number;
  readonly script_execution_ok: boolean;
  readonly gas_amount: number;
  readonly gas_price: string;
  readonly script_opt: Buffer | null;
  readonly input_signatures: readonly Buffer[] | null;
  readonly script_signatures: readonly Buffer[] | null;
}

interface InputColumns {
  readonly tx_id: bigint;
  readonly key: Buffer;
  readonly hint: number;
  readonly unlock_script: Buffer | null;
}

export interface OutputColumns {
  readonly tx_id: bigint;
  readonly fixed: boolean;
  readonly lock_time: bigint | null;
  readonly amount: string;
  readonly message: Buffer | null;
  readonly address: string;
  /** Ids in hexadecimal digits, and their amounts. */
  readonly tokens: readonly string[] | null;
  readonly token_amounts: readonly string[] | null;
}

/** Blocks of a chain, and transactions of all of them, that are in memory at once. One block is in any case. */
const most = { blocksOfChain: 50, transactions: 2_000 };

/** The columns of an output `o` with its address `a`. */
export const outputColumns = (schema: string): string => `o.tx_id, o.fixed, o.lock_time, o.amount::text AS amount,
  o.message, a.address, (SELECT array_agg(encode(t.token, 'hex') ORDER BY u.place)
    FROM unnest(o.token_ids) WITH ORDINALITY AS u (id, place) JOIN ${schema}.tokens t ON t.token_id = u.id) AS tokens,
  o.token_amounts::text[] AS token_amounts`;

/** The rows of blocks in a table of rows by transaction. */
const ofBlocks = (table: string, alias: string): string =>
  `unnest($1::int8[]) AS c (block_id)
   JOIN ${table} ${alias} ON ${alias}.tx_id >= c.block_id << 11 AND ${alias}.tx_id < (c.block_id + 1) << 11`;

/** An output of a row. */
export const outputOf = ({ address, amount, lock_time, message, tokens, token_amounts }: OutputColumns): Output => {
  const lockupScript = parseAddress(address)!;
  const common = {
    amount: BigInt(amount),
    tokens: (tokens ?? []).map((id, i) => ({ id, amount: BigInt(token_amounts![i]!) })),
  };
  if (lockupScript.kind === 'p2c') return { kind: 'contract', ...common, contractId: lockupScript.contractId };
  return {
    kind: 'asset',
    ...common,
    lockupScript: lockupScript satisfies AssetLockupScript,
    lockTime: lock_time ?? 0n,
    additionalData: message!,
  };
};

const inputOf = ({ key, hint, unlock_script }: InputColumns): TransactionInput => ({
  outputReference: { key: bytesToHex(key), hint },
  unlockScript: decode(unlockScriptCodec, unlock_script!),
});

const byTransaction = <Row extends { readonly tx_id: bigint }>(rows: readonly Row[]): ((txId: bigint) => Row[]) => {
  const ofTransactions = new Map<bigint, Row[]>();
  for (const row of rows) {
    const known = ofTransactions.get(row.tx_id);
    if (known) known.push(row);
    else ofTransactions.set(row.tx_id, [row]);
  }
  return (txId) => ofTransactions.get(txId) ?? [];
};

const transactionOf = (
  row: TransactionColumns,
  inputs: readonly InputColumns[],
  outputs: readonly OutputColumns[],
): Transaction => ({
  unsigned: {
    version: row.version,
    networkId: row.network_id,
    script: row.script_opt === null ? undefined : decode(statefulScriptCodec, row.script_opt),
    gasAmount: row.gas_amount,
    gasPrice: BigInt(row.gas_price),
    inputs: inputs.filter(({ unlock_script }) => unlock_script !== null).map(inputOf),
    // Contracts have no fixed outputs.
    fixedOutputs: outputs.filter(({ fixed }) => fixed).map((output) => outputOf(output) as AssetOutput),
  },
  scriptExecutionOk: row.script_execution_ok,
  contractInputs: inputs
    .filter(({ unlock_script }) => unlock_script === null)
    .map(({ key, hint }) => ({ key: bytesToHex(key), hint })),
  generatedOutputs: outputs.filter(({ fixed }) => !fixed).map(outputOf),
  inputSignatures: row.input_signatures ?? [],
  scriptSignatures: row.script_signatures ?? [],
});

const hashesIn = (bytes: Buffer): Hash[] =>
  Array.from({ length: bytes.length / 32 }, (_, i) => bytes.toString('hex', i * 32, (i + 1) * 32));

const headerOf = (row: BlockColumns, groups: number): SealedHeader =>
  sealHeader(
    {
      nonce: row.nonce,
      version: row.version,
      blockDeps: hashesIn(row.deps),
      depStateHash: bytesToHex(row.dep_state_hash),
      txsHash: bytesToHex(row.txs_hash),
      timestamp: row.block_timestamp,
      target: row.target.readUInt32BE(),
    },
    groups,
  );

/** The oldest of the blocks, as many as may be in memory. */
const firstOf = (rows: readonly BlockColumns[]): BlockColumns[] => {
  let transactions = 0;
  return rows.filter(({ tx_count }, i) => (transactions += tx_count) <= most.transactions || i === 0);
};

/** The next blocks of all chains that are not audited, the oldest first. */
const nextRows = async ({ schema, query }: Snapshot): Promise<BlockColumns[]> =>
  firstOf(
    await query<BlockColumns>(
      'blocks-to-audit',
      `SELECT b.*, h.height AS head FROM ${schema}.chain_heads h CROSS JOIN LATERAL (
         SELECT hash, block_id, height, block_timestamp, tx_count, version, nonce, target, dep_state_hash, txs_hash, deps
         FROM ${schema}.blocks n WHERE n.main_chain AND n.chain_from = h.chain_from AND n.chain_to = h.chain_to
           AND n.height > h.audited_height ORDER BY n.height LIMIT ${most.blocksOfChain}) b
       ORDER BY b.block_id`,
    ),
  );

/**
 * The next blocks that the audit has not judged, each chain in the order of its heights: at most 50 of a chain, with
 * some 2,000 transactions. Four statements, whatever their number.
 */
export const nextAuditedBlocks = async (snapshot: Snapshot, groups: number): Promise<AuditedBlock[]> => {
  const rows = await nextRows(snapshot);
  if (rows.length === 0) return [];
  const { schema, query } = snapshot;
  const ids = [int8Array(rows.map(({ block_id }) => block_id))];
  const transactions = await query<TransactionColumns>(
    'transactions-to-audit',
    `SELECT x.tx_id, x.version, x.network_id, x.script_execution_ok, x.gas_amount, x.gas_price::text AS gas_price,
       x.script_opt, x.input_signatures, x.script_signatures FROM ${ofBlocks(`${schema}.transactions`, 'x')}`,
    ids,
  );
  const inputs = byTransaction(
    await query<InputColumns>(
      'inputs-to-audit',
      `SELECT x.tx_id, x.key, x.hint, x.unlock_script FROM ${ofBlocks(`${schema}.inputs`, 'x')}
       ORDER BY x.tx_id, x.input_order`,
      ids,
    ),
  );
  const outputs = byTransaction(
    await query<OutputColumns>(
      'outputs-to-audit',
      `SELECT ${outputColumns(schema)} FROM ${ofBlocks(`${schema}.outputs`, 'o')}
         JOIN ${schema}.addresses a ON a.address_id = o.address_id ORDER BY o.tx_id, o.output_order`,
      ids,
    ),
  );
  const rowsById = new Map(transactions.map((row) => [row.tx_id, row]));
  return rows.map((row) => {
    const txIds = Array.from({ length: row.tx_count }, (_, order) => txIdOf(row.block_id, order)).filter((txId) =>
      rowsById.has(txId),
    );
    const made = txIds.map((txId) => transactionOf(rowsById.get(txId)!, inputs(txId), outputs(txId)));
    return {
      hash: bytesToHex(row.hash),
      header: headerOf(row, groups),
      height: row.height,
      head: row.head,
      transactions: made,
      txIds: new Map(made.map(({ unsigned }, i) => [transactionId(unsigned), txIds[i]!])),
    };
  });
};
