import {
  booleanArray,
  byteaArray,
  hashArray,
  int2Array,
  int4Array,
  int8Array,
  textArray,
} from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import {
  type BlockRows,
  type EventRow,
  type InputRow,
  type OutputRow,
  type TransactionRow,
} from '../blocks/block-rows.js';
import { writeContractLives } from './contract-lives.js';
import { blockArrays } from './block-arrays.js';
import { advanceHeads, checkContinuation, loadHeads } from './heads.js';
import { countHours } from './hours.js';
import { type IndexTransaction } from './index-transaction.js';
import {
  commonInputAddress,
  LedgerSlice,
  type SliceInput,
  type SliceOutput,
  type SliceTransaction,
} from './ledger-slice.js';
import { resolveInputs } from './resolve-inputs.js';
import { deletePending } from './pending.js';
import { type RowNumbers } from './row-numbers.js';
import { type AddressTx, writeTotals } from './totals.js';
import { arrayLiteral, type NewRows, writeSlice } from './write-slice.js';

const signatures = (list: readonly Uint8Array[]): string | undefined =>
  arrayLiteral(list, (bytes) => `"\\\\x${bytesToHex(bytes)}"`);

const insertTransactions = (transaction: IndexTransaction, rows: readonly TransactionRow[]): void => {
  const sources = rows.map((row) => row.transaction);
  transaction.write('insertTransactions', [
    int8Array(rows.map(({ txId }) => txId)),
    hashArray(rows.map(({ hash }) => hash)),
    int2Array(sources.map(({ unsigned }) => unsigned.version)),
    int2Array(sources.map(({ unsigned }) => unsigned.networkId)),
    booleanArray(rows.map(({ isCoinbase }) => isCoinbase)),
    booleanArray(sources.map(({ scriptExecutionOk }) => scriptExecutionOk)),
    int4Array(sources.map(({ unsigned }) => unsigned.gasAmount)),
    textArray(sources.map(({ unsigned }) => unsigned.gasPrice.toString())),
    byteaArray(rows.map(({ script }) => script)),
    textArray(sources.map(({ inputSignatures }) => signatures(inputSignatures))),
    textArray(sources.map(({ scriptSignatures }) => signatures(scriptSignatures))),
  ]);
};

const insertEvents = (
  transaction: IndexTransaction,
  events: readonly EventRow[],
  slice: LedgerSlice,
  addresses: ReadonlyMap<string, bigint>,
): void =>
  transaction.write('insertEvents', [
    int8Array(events.map(({ blockId }) => blockId)),
    int4Array(events.map(({ order }) => order)),
    int8Array(events.map(({ txId }) => txId)),
    int8Array(events.map(({ contract }) => addresses.get(contract))),
    int8Array(events.map(({ txId }) => commonInputAddress(slice.transactions.get(txId)!))),
    int2Array(events.map(({ eventIndex }) => eventIndex)),
    textArray(events.map(({ fields }) => JSON.stringify(fields))),
  ]);

/** All addresses that the rows name. */
function* addressesOf({ transactions, events }: BlockRows): Iterable<string> {
  for (const { outputs, inputs } of transactions) {
    for (const { address } of outputs) yield address;
    for (const { signer } of inputs) if (signer?.address !== undefined) yield signer.address;
  }
  for (const { contract, step } of events) {
    yield contract;
    if (step) yield step.contract;
    if (step?.kind === 'created' && step.parent !== undefined) yield step.parent;
  }
}

function* tokensOf({ transactions }: BlockRows): Iterable<string> {
  for (const { outputs } of transactions) for (const { tokens } of outputs) for (const { id } of tokens) yield id;
}

/** The new transactions of a batch in memory. */
class NewTransactions implements NewRows {
  readonly outputs: (readonly [SliceOutput, OutputRow])[] = [];
  readonly inputs: (readonly [SliceInput, InputRow])[] = [];
  readonly transactions: SliceTransaction[] = [];
  /** By `address_id`. */
  readonly publicKeys = new Map<bigint, Uint8Array>();

  constructor(
    private readonly slice: LedgerSlice,
    private readonly numbers: RowNumbers,
  ) {}

  add({ txId, outputs, inputs }: TransactionRow): void {
    const transaction: SliceTransaction = {
      txId,
      outputs: outputs.map((row) => this.addOutput(txId, row)),
      inputs: inputs.map((row) => this.addInput(txId, row)),
      storedParts: undefined,
    };
    this.transactions.push(transaction);
    this.slice.addTransaction(transaction);
  }

  private addOutput(txId: bigint, row: OutputRow): SliceOutput {
    const { addresses, tokens } = this.numbers;
    const output = this.slice.addOutput({
      txId,
      order: row.order,
      key: row.key,
      addressId: addresses.get(row.address)!,
      amount: row.amount,
      tokens: row.tokens.map(({ id, amount }) => ({ tokenId: tokens.get(id)!, amount })),
      stored: 'absent',
      now: 'unspent',
    });
    this.outputs.push([output, row]);
    return output;
  }

  private addInput(txId: bigint, row: InputRow): SliceInput {
    const { order, key, isContract, unlockScript, signer } = row;
    const signerId = signer?.address === undefined ? undefined : this.numbers.addresses.get(signer.address);
    if (signerId !== undefined && signer?.publicKey) this.publicKeys.set(signerId, signer.publicKey);
    const input = { txId, order, key, isContract, unlockScript, signerId, output: undefined, conflict: false };
    this.inputs.push([input, row]);
    return input;
  }
}

/** Changes of applied blocks besides the blocks. */
export interface AppliedChanges {
  /** New rows of address_txs: also of older transactions, whose inputs are known now. */
  readonly addressTxs: readonly AddressTx[];
  /** Transactions that were pending. */
  readonly unpended: readonly Hash[];
}

/**
 * Applies blocks, each of which continues its chain, as one set (protocol 08 §4.5, §4.6).
 * @throws RangeError for a block that does not continue its chain
 */
export const applyBlocks = async (
  transaction: IndexTransaction,
  numbers: RowNumbers,
  rows: readonly BlockRows[],
): Promise<AppliedChanges> => {
  const blocks = rows.map(({ block }) => block);
  const [heads] = await Promise.all([
    loadHeads(transaction),
    numbers.obtainAddresses(rows.flatMap((row) => [...addressesOf(row)])),
    numbers.obtainTokens(rows.flatMap((row) => [...tokensOf(row)])),
  ]);
  checkContinuation(heads, blocks);

  const slice = new LedgerSlice();
  const added = new NewTransactions(slice, numbers);
  const transactions = rows.flatMap((row) => row.transactions);
  for (const row of transactions) added.add(row);
  await resolveInputs(transaction, slice, added.transactions);

  transaction.write('insertBlocks', blockArrays(blocks));
  if (transactions.length > 0) insertTransactions(transaction, transactions);
  writeSlice(transaction, slice, added);
  const { inserted } = writeTotals(transaction, slice, added.publicKeys);
  const events = rows.flatMap((row) => row.events);
  if (events.length > 0) insertEvents(transaction, events, slice, numbers.addresses);
  await writeContractLives(transaction, events, (address) => numbers.addresses.get(address)!);
  countHours(transaction, blocks, 'add');
  advanceHeads(transaction, blocks);
  const unpended = await deletePending(
    transaction,
    transactions.map(({ hash }) => hash),
  );
  return { addressTxs: inserted, unpended };
};
