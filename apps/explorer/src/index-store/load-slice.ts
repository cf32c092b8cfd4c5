import { hashArray, int8Array } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type IndexTransaction } from './index-transaction.js';
import { type LedgerSlice, partsOf, type SliceInput, type SliceOutput } from './ledger-slice.js';

interface OutputColumns {
  readonly tx_id: bigint;
  readonly output_order: number;
  readonly key: Buffer;
  readonly spent_by: bigint | null;
  readonly address_id: bigint;
  readonly amount: string;
  readonly token_ids: readonly number[] | null;
  readonly token_amounts: readonly string[] | null;
}

type InputColumns = {
  readonly input_tx_id: bigint;
  readonly input_order: number;
  readonly input_key: Buffer;
  readonly contract: boolean;
  readonly conflict: boolean;
  readonly signer_id: bigint | null;
  readonly unlock_script: Buffer | null;
} & (OutputColumns | { readonly tx_id: null });

const outputOf = (row: OutputColumns): SliceOutput => {
  const condition = row.spent_by ?? 'unspent';
  return {
    txId: row.tx_id,
    order: row.output_order,
    key: bytesToHex(row.key),
    addressId: row.address_id,
    amount: BigInt(row.amount),
    tokens: (row.token_ids ?? []).map((tokenId, i) => ({ tokenId, amount: BigInt(row.token_amounts![i]!) })),
    stored: condition,
    now: condition,
  };
};

const inputOf = (row: InputColumns, slice: LedgerSlice): SliceInput => ({
  txId: row.input_tx_id,
  order: row.input_order,
  key: bytesToHex(row.input_key),
  isContract: row.contract,
  unlockScript: row.unlock_script ?? undefined,
  signerId: row.signer_id ?? undefined,
  output: row.tx_id === null ? undefined : slice.addOutput(outputOf(row)),
  conflict: row.conflict,
});

const groupedByTx = <T extends { readonly txId: bigint }>(rows: readonly T[]): Map<bigint, T[]> => {
  const groups = new Map<bigint, T[]>();
  for (const row of rows) {
    const group = groups.get(row.txId);
    if (group) group.push(row);
    else groups.set(row.txId, [row]);
  }
  return groups;
};

/** Loads the stored outputs with these keys. */
export const loadOutputs = async (
  transaction: IndexTransaction,
  slice: LedgerSlice,
  keys: readonly Hash[],
): Promise<void> => {
  if (keys.length === 0) return;
  const rows = await transaction.run<OutputColumns>('outputsByKey', [hashArray(keys)]);
  for (const row of rows) slice.addOutput(outputOf(row));
};

/** Loads stored transactions with all of their outputs and inputs. Those that are loaded already stay as they are. */
export const loadTransactions = async (
  transaction: IndexTransaction,
  slice: LedgerSlice,
  txIds: readonly bigint[],
): Promise<void> => {
  const missing = [...new Set(txIds)].filter((txId) => !slice.transactions.has(txId));
  if (missing.length === 0) return;
  const values = [int8Array(missing)];
  const outputRows = await transaction.run<OutputColumns>('outputsOfTxs', values);
  const inputRows = await transaction.run<InputColumns>('inputsOfTxs', values);
  const outputs = groupedByTx(outputRows.map((row) => slice.addOutput(outputOf(row))));
  const inputs = groupedByTx(inputRows.map((row) => inputOf(row, slice)));
  for (const txId of missing) {
    const lists = { outputs: outputs.get(txId) ?? [], inputs: inputs.get(txId) ?? [] };
    slice.addTransaction({ txId, ...lists, storedParts: partsOf(lists) });
  }
};

/** Loads the transactions with an unresolved input, or with one in conflict, for one of the keys. */
export const loadTransactionsOfInputs = async (
  transaction: IndexTransaction,
  slice: LedgerSlice,
  condition: 'unresolvedInputs' | 'conflictInputs',
  keys: readonly Hash[],
): Promise<void> => {
  if (keys.length === 0) return;
  const rows = await transaction.run<{ tx_id: bigint }>(condition, [hashArray(keys)]);
  await loadTransactions(
    transaction,
    slice,
    rows.map(({ tx_id }) => tx_id),
  );
};
