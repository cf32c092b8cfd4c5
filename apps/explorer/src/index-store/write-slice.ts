import {
  booleanArray,
  byteaArray,
  hashArray,
  int2Array,
  int4Array,
  int8Array,
  textArray,
} from '@shardnode/core/database';
import { type InputRow, type OutputRow } from '../blocks/block-rows.js';
import { type IndexTransaction } from './index-transaction.js';
import { commonInputAddress, type LedgerSlice, type SliceInput, type SliceOutput } from './ledger-slice.js';

/** A new output or input in memory, with the columns that only its insertion needs. */
export interface NewRows {
  readonly outputs: readonly (readonly [SliceOutput, OutputRow])[];
  readonly inputs: readonly (readonly [SliceInput, InputRow])[];
}

/** A list as an array literal of PostgreSQL; undefined, which becomes NULL, when it is empty. */
export const arrayLiteral = <T>(list: readonly T[], element: (item: T) => string): string | undefined =>
  list.length === 0 ? undefined : `{${list.map(element).join(',')}}`;

const spender = ({ now }: SliceOutput): bigint | undefined => (typeof now === 'bigint' ? now : undefined);

const insertOutputs = (transaction: IndexTransaction, rows: NewRows['outputs']): void => {
  const outputs = rows.map(([output]) => output);
  const columns = rows.map(([, row]) => row);
  transaction.write('insertOutputs', [
    int8Array(outputs.map(({ txId }) => txId)),
    int2Array(outputs.map(({ order }) => order)),
    hashArray(outputs.map(({ key }) => key)),
    int8Array(outputs.map(spender)),
    int8Array(columns.map(({ lockTime }) => lockTime)),
    int8Array(outputs.map(({ addressId }) => addressId)),
    int4Array(columns.map(({ hint }) => hint)),
    booleanArray(columns.map(({ isContract }) => isContract)),
    booleanArray(columns.map(({ isFixed }) => isFixed)),
    textArray(outputs.map(({ amount }) => amount.toString())),
    byteaArray(columns.map(({ message }) => message)),
    textArray(outputs.map(({ tokens }) => arrayLiteral(tokens, ({ tokenId }) => String(tokenId)))),
    textArray(outputs.map(({ tokens }) => arrayLiteral(tokens, ({ amount }) => amount.toString()))),
  ]);
};

/** Columns `ref_tx_id`, `ref_output_order` and `address_id`, which is there only while the input is unresolved. */
const references = (inputs: readonly SliceInput[]): Buffer[] => [
  int8Array(inputs.map(({ output }) => output?.txId)),
  int2Array(inputs.map(({ output }) => output?.order)),
  int8Array(inputs.map(({ output, signerId }) => (output ? undefined : signerId))),
];

const insertInputs = (transaction: IndexTransaction, rows: NewRows['inputs']): void => {
  const inputs = rows.map(([input]) => input);
  transaction.write('insertInputs', [
    int8Array(inputs.map(({ txId }) => txId)),
    int2Array(inputs.map(({ order }) => order)),
    hashArray(inputs.map(({ key }) => key)),
    int4Array(rows.map(([, { hint }]) => hint)),
    booleanArray(inputs.map(({ isContract }) => isContract)),
    booleanArray(inputs.map(({ conflict }) => conflict)),
    ...references(inputs),
    byteaArray(inputs.map(({ unlockScript }) => unlockScript)),
  ]);
};

/** Stored outputs and inputs that changed, and the events whose transactions show another sender now. */
const changeStored = (transaction: IndexTransaction, slice: LedgerSlice): void => {
  const outputs = [...slice.outputs].filter(
    ({ stored, now }) => stored !== 'absent' && now !== 'absent' && stored !== now,
  );
  if (outputs.length > 0) {
    transaction.write('markOutputs', [
      int8Array(outputs.map(({ txId }) => txId)),
      int2Array(outputs.map(({ order }) => order)),
      int8Array(outputs.map(spender)),
    ]);
  }
  const inputs = [...slice.changedInputs];
  if (inputs.length === 0) return;
  transaction.write('changeInputs', [
    int8Array(inputs.map(({ txId }) => txId)),
    int2Array(inputs.map(({ order }) => order)),
    booleanArray(inputs.map(({ conflict }) => conflict)),
    ...references(inputs),
  ]);
  const txIds = [...new Set(inputs.map(({ txId }) => txId))];
  transaction.write('changeEventInputs', [
    int8Array(txIds),
    int8Array(txIds.map((txId) => commonInputAddress(slice.transactions.get(txId)!))),
  ]);
};

/** Writes outputs and inputs as the slice has them. */
export const writeSlice = (
  transaction: IndexTransaction,
  slice: LedgerSlice,
  added: NewRows = { outputs: [], inputs: [] },
): void => {
  if (slice.removed.size > 0) {
    const removed = [int8Array([...slice.removed])];
    transaction.write('deleteInputs', removed);
    transaction.write('deleteOutputs', removed);
  }
  if (added.outputs.length > 0) insertOutputs(transaction, added.outputs);
  if (added.inputs.length > 0) insertInputs(transaction, added.inputs);
  changeStored(transaction, slice);
};
