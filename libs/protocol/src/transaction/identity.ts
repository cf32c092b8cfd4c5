import { blake2b, blake2bHash } from '../crypto/index.js';
import { ByteWriter, bytesToHex, encode, hash32, fixedI32 } from '../encoding/index.js';
import { type Hash, type OutputReference, outputHint } from '../primitives/index.js';
import { type Output, type Transaction, type UnsignedTransaction } from './model.js';
import { unsignedTransactionCodec, writeAfterUnsigned } from './transaction-codecs.js';

const ids = new WeakMap<UnsignedTransaction, Hash>();
const leaves = new WeakMap<Transaction, Hash>();

/** blake2b of the canonical unsigned transaction (protocol 01 §11.1, §2.8). Cached for each object. */
export const transactionId = (unsigned: UnsignedTransaction): Hash => {
  const known = ids.get(unsigned);
  if (known !== undefined) return known;
  return encodedWithId(unsigned).txId;
};

/** The canonical bytes of an unsigned transaction with its id, encoded only once. */
export const encodedWithId = (unsigned: UnsignedTransaction): { readonly bytes: Uint8Array; readonly txId: Hash } => {
  const bytes = encode(unsignedTransactionCodec, unsigned);
  const txId = bytesToHex(blake2b(bytes));
  ids.set(unsigned, txId);
  return { bytes, txId };
};

/** Leaf of the block's Merkle tree: the full encoding with the id in place of the unsigned part (protocol 01 §11.4). */
export const merkleLeaf = (transaction: Transaction): Hash => {
  const known = leaves.get(transaction);
  if (known !== undefined) return known;
  const writer = new ByteWriter();
  hash32.write(writer, transactionId(transaction.unsigned));
  writeAfterUnsigned(writer, transaction);
  const leaf = blake2bHash(writer.finish());
  leaves.set(transaction, leaf);
  return leaf;
};

/** Key of output number `index`, counted over fixed then generated outputs (protocol 01 §8.2). */
export const outputKey = (id: Hash, index: number): Hash => {
  const writer = new ByteWriter(36);
  hash32.write(writer, id);
  fixedI32.write(writer, index);
  return blake2bHash(writer.finish());
};

/** All outputs in the order of their numbers: fixed, then generated (protocol 01 §8.2). */
export const outputsOf = (transaction: Transaction): readonly Output[] =>
  transaction.generatedOutputs.length === 0
    ? transaction.unsigned.fixedOutputs
    : [...transaction.unsigned.fixedOutputs, ...transaction.generatedOutputs];

/** The reference to output number `index` of transaction `id` (protocol 01 §8.2). */
export const referenceOf = (output: Output, id: Hash, index: number): OutputReference => ({
  hint:
    output.kind === 'asset'
      ? outputHint(output.lockupScript)
      : outputHint({ kind: 'p2c', contractId: output.contractId }),
  key: outputKey(id, index),
});
