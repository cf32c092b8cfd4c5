import { byteaArray, hashArray, int8Array } from '@shardnode/core/database';
import { bytesToHex, decode } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { unlockScriptCodec } from '@shardnode/protocol/transaction';
import { timestampOfTx, txIdOf } from '../blocks/row-ids.js';
import { expandUnlockScripts, isSameAsPreviousByte, signerOf } from '../blocks/unlock-addresses.js';
import { undoContractLives } from './contract-lives.js';
import { setBackHead } from './heads.js';
import { countHours, type CountedBlock } from './hours.js';
import { type IndexTransaction } from './index-transaction.js';
import { LedgerSlice, type SliceInput, type SliceTransaction } from './ledger-slice.js';
import { loadTransactions, loadTransactionsOfInputs } from './load-slice.js';
import { type RowNumbers } from './row-numbers.js';
import { writeTotals } from './totals.js';
import { touchedAddresses, type TouchedAddresses } from './touched-addresses.js';
import { writeSlice } from './write-slice.js';

/** An applied block that is to be undone. */
export interface UndoneBlock extends CountedBlock {
  readonly hash: Hash;
  readonly blockId: bigint;
  readonly height: number;
}

interface BlockColumns {
  readonly hash: Buffer;
  readonly block_id: bigint;
  readonly height: number;
  readonly block_timestamp: bigint;
  readonly tx_count: number;
  readonly hashrate: string;
}

/** The applied blocks of a chain above a height, the head first. */
export const loadBlocksAbove = async (
  transaction: IndexTransaction,
  chain: ChainIndex,
  height: number,
): Promise<UndoneBlock[]> => {
  const rows = await transaction.run<BlockColumns>('blocksAbove', [chain.from, chain.to, height]);
  return rows.map((row) => ({
    chain,
    hash: bytesToHex(row.hash),
    blockId: row.block_id,
    height: row.height,
    timestamp: row.block_timestamp,
    txCount: row.tx_count,
    hashRate: BigInt(row.hashrate),
  }));
};

/** The addresses of asset inputs by their unlock scripts, by `input_order`. */
const signersOf = ({ inputs }: SliceTransaction): (string | undefined)[] => {
  const scripts = inputs.flatMap(({ unlockScript }) => (unlockScript ? [unlockScript] : []));
  return expandUnlockScripts(scripts, isSameAsPreviousByte).map(
    (script) => signerOf(decode(unlockScriptCodec, script)).address,
  );
};

/** Makes inputs unresolved, each with the address that its unlock script says. */
const releaseInputs = async (slice: LedgerSlice, numbers: RowNumbers, inputs: readonly SliceInput[]): Promise<void> => {
  const signers = inputs.map(({ txId, order }) => signersOf(slice.transactions.get(txId)!)[order]);
  await numbers.obtainAddresses(signers.filter((signer) => signer !== undefined));
  inputs.forEach((input, i) => {
    const signer = signers[i];
    slice.release(input, signer === undefined ? undefined : numbers.addresses.get(signer));
  });
};

/** The first of the inputs in conflict for each output that is free now spends it. */
const promoteInputs = (slice: LedgerSlice, inputs: readonly SliceInput[]): void => {
  const candidates = inputs.filter(({ conflict }) => conflict).sort((a, b) => (a.txId < b.txId ? -1 : 1));
  for (const input of candidates) if (input.output?.now === 'unspent') slice.promote(input);
};

/**
 * Takes transactions out of the slice, with all that follows for the others (protocol 08 §4.7 steps 2 and 3): an input
 * in conflict becomes the spender of an output that is free again, inputs whose output is gone become unresolved.
 */
const removeTransactions = async (
  transaction: IndexTransaction,
  numbers: RowNumbers,
  txIds: readonly bigint[],
): Promise<LedgerSlice> => {
  const slice = new LedgerSlice();
  await loadTransactions(transaction, slice, txIds);
  const removed = txIds.map((txId) => slice.transactions.get(txId)!);
  const outputs = removed.flatMap((one) => one.outputs);
  const inputs = removed.flatMap((one) => one.inputs);
  const spenders = outputs.flatMap(({ now }) => (typeof now === 'bigint' ? [now] : []));
  await loadTransactions(transaction, slice, spenders);
  const keys = [...new Set([...outputs, ...inputs].map(({ key }) => key))];
  await loadTransactionsOfInputs(transaction, slice, 'conflictInputs', keys);

  for (const one of removed) slice.remove(one);
  const others = [...slice.transactions.values()].filter(({ txId }) => !slice.removed.has(txId));
  const othersInputs = others.flatMap((other) => other.inputs);
  await releaseInputs(
    slice,
    numbers,
    othersInputs.filter(({ output }) => output?.now === 'absent'),
  );
  promoteInputs(slice, othersInputs);
  return slice;
};

/** Milliseconds since 1970 of the first block whose transactions the slice holds. */
const earliestTime = ({ transactions }: LedgerSlice): bigint => {
  let earliest: bigint | undefined;
  for (const txId of transactions.keys()) if (earliest === undefined || txId < earliest) earliest = txId;
  return timestampOfTx(earliest!);
};

/**
 * Undoes the top of a chain: the exact inverse of applying it (protocol 08 §4.7).
 * @param blocks from `loadBlocksAbove`, not empty
 * @param forkHeight of the block that becomes the head
 * @param bodies column `body` by hash; a block without one becomes a side block without a body
 * @returns the transactions that are in no block now, with their addresses
 */
export const undoBlocks = async (
  transaction: IndexTransaction,
  numbers: RowNumbers,
  blocks: readonly UndoneBlock[],
  forkHeight: number,
  bodies: ReadonlyMap<Hash, Uint8Array>,
): Promise<TouchedAddresses[]> => {
  const blockIds = blocks.map(({ blockId }) => blockId);
  const txIds = blocks.flatMap(({ blockId, txCount }) =>
    Array.from({ length: txCount }, (_, order) => txIdOf(blockId, order)),
  );
  undoContractLives(transaction, blockIds, txIds);
  transaction.write('deleteEvents', [int8Array(blockIds)]);
  const slice = await removeTransactions(transaction, numbers, txIds);
  writeSlice(transaction, slice);
  const { deleted } = writeTotals(transaction, slice);
  const reverted = await touchedAddresses(
    transaction,
    deleted.filter(([, txId]) => slice.removed.has(txId)),
  );
  transaction.write('deleteTransactions', [int8Array(txIds)]);
  countHours(transaction, blocks, 'subtract');
  transaction.write('makeSideBlocks', [
    hashArray(blocks.map(({ hash }) => hash)),
    byteaArray(blocks.map(({ hash }) => bodies.get(hash))),
  ]);
  setBackHead(transaction, blocks[0]!.chain, forkHeight, txIds.length);
  // Recompute supply days from the earliest undone block: later blocks can fall on closed days.
  transaction.write('deleteSupplyDays', [earliestTime(slice)]);
  return reverted;
};
