import { hashArray, int2Array, int4Array, int8Array, textArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type TransactionTemplate } from '@shardnode/protocol/transaction';
import { inputRowsOf, outputRowsOf } from '../blocks/block-rows.js';
import { assetOutputForm, inputForms, type SpentOutput } from '../blocks/transaction-forms.js';
import { outputsByKey } from '../reads/transaction-reads.js';
import { type InTransaction, type IndexTransaction } from './index-transaction.js';
import { type TouchedAddresses } from './touched-addresses.js';

/** A transaction of a mempool (protocol 09 §5). */
export interface PoolTransaction {
  readonly txId: Hash;
  readonly chain: ChainIndex;
  readonly template: TransactionTemplate;
  /** Milliseconds since 1970. */
  readonly seenAt: bigint;
}

/** A transaction that is pending now. */
export interface NewPending extends TouchedAddresses {
  readonly chain: ChainIndex;
  /** Milliseconds since 1970. */
  readonly seenAt: bigint;
}

/** Changes of a call. */
export interface PendingChange {
  readonly added: readonly NewPending[];
  readonly removed: readonly Hash[];
}

/** Table `pending_txs`, which follows the mempools (protocol 08 §4.10). Each call is one database transaction. */
export interface PendingTransactions {
  /** A change of a mempool. Transactions that are applied, or pending already, are not added. */
  change(added: readonly PoolTransaction[], removed: readonly Hash[]): Promise<PendingChange>;
  /**
   * The whole mempool of a group: adds what is unknown, removes what is absent, unless it is younger than 5 s.
   * @param now milliseconds since 1970
   */
  equal(group: number, pool: readonly PoolTransaction[], now: bigint): Promise<PendingChange>;
}

/** Milliseconds: a list may be older than an announcement. */
const youngest = 5_000n;

/** A row of pending_txs: its inputs and outputs as the API shows them (protocol 08 §5.4). */
const pendingRowOf = ({ txId, chain, template, seenAt }: PoolTransaction, spent: ReadonlyMap<Hash, SpentOutput>) => {
  const { unsigned } = template;
  const inputs = inputForms(inputRowsOf({ unsigned, contractInputs: [] }), spent);
  const outputs = outputRowsOf({ unsigned, generatedOutputs: [] }, txId).map(assetOutputForm);
  const addresses = new Set([
    ...inputs.flatMap(({ address }) => address ?? []),
    ...outputs.map(({ address }) => address),
  ]);
  return { txId, chain, unsigned, seenAt, inputs, outputs, addresses };
};

interface HashRow {
  readonly hash: Buffer;
}

const hashesOf = (rows: readonly HashRow[]): Hash[] => rows.map(({ hash }) => bytesToHex(hash));

/** Removes pending transactions; returns those that were pending. */
export const deletePending = async (transaction: IndexTransaction, hashes: readonly Hash[]): Promise<Hash[]> =>
  hashes.length === 0 ? [] : hashesOf(await transaction.run<HashRow>('deletePending', [hashArray(hashes)]));

const unknownOf = async (
  transaction: IndexTransaction,
  pool: readonly PoolTransaction[],
): Promise<PoolTransaction[]> => {
  const rows = await transaction.run<HashRow>('knownPending', [hashArray(pool.map(({ txId }) => txId))]);
  const known = new Set(hashesOf(rows));
  const unknown = new Map(pool.filter(({ txId }) => !known.has(txId)).map((one) => [one.txId, one]));
  return [...unknown.values()];
};

const insertPending = async (
  transaction: IndexTransaction,
  pool: readonly PoolTransaction[],
): Promise<NewPending[]> => {
  if (pool.length === 0) return [];
  const unknown = await unknownOf(transaction, pool);
  if (unknown.length === 0) return [];
  const keys = unknown.flatMap(({ template }) => template.unsigned.inputs.map((input) => input.outputReference.key));
  const spent = await outputsByKey(transaction, keys);
  const rows = unknown.map((one) => pendingRowOf(one, spent));
  const inserted = await transaction.run<HashRow>('insertPending', [
    hashArray(rows.map(({ txId }) => txId)),
    int2Array(rows.map(({ chain }) => chain.from)),
    int2Array(rows.map(({ chain }) => chain.to)),
    int4Array(rows.map(({ unsigned }) => unsigned.gasAmount)),
    textArray(rows.map(({ unsigned }) => unsigned.gasPrice.toString())),
    int8Array(rows.map(({ seenAt }) => seenAt)),
    textArray(rows.map(({ inputs }) => JSON.stringify(inputs))),
    textArray(rows.map(({ outputs }) => JSON.stringify(outputs))),
  ]);
  const places = rows.flatMap(({ txId, addresses }) => [...addresses].map((address) => ({ address, txId })));
  transaction.write('insertPendingAddresses', [
    textArray(places.map(({ address }) => address)),
    hashArray(places.map(({ txId }) => txId)),
  ]);
  const stored = new Set(hashesOf(inserted));
  return rows.flatMap(({ txId, chain, seenAt, addresses }) =>
    stored.has(txId) ? [{ hash: txId, chain, seenAt, addresses: [...addresses] }] : [],
  );
};

/** The pending transactions of an index. */
export const pendingOver = (inTransaction: InTransaction): PendingTransactions => ({
  change: (added, removed) =>
    inTransaction(async (transaction) => {
      const [deleted, inserted] = await Promise.all([
        deletePending(transaction, removed),
        insertPending(transaction, added),
      ]);
      return { removed: deleted, added: inserted };
    }),
  equal: (group, pool, now) =>
    inTransaction(async (transaction) => {
      const hashes = hashArray(pool.map(({ txId }) => txId));
      const removed = await transaction.run<HashRow>('deleteOtherPending', [group, now - youngest, hashes]);
      return { removed: hashesOf(removed), added: await insertPending(transaction, pool) };
    }),
});
