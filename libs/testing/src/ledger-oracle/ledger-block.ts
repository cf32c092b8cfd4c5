import { addressOf } from '@shardnode/protocol/address';
import { decodeBlock } from '@shardnode/protocol/block';
import { blake2bHash, blake3Twice } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type AssetLockupScript, type Hash } from '@shardnode/protocol/primitives';
import {
  assetOutputCodec,
  type AssetOutput,
  type Transaction,
  transactionCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { genesisTimestamp } from './network.js';

/** An asset output and its name: hint and key, 72 hexadecimal digits. */
export interface LedgerOutput {
  readonly reference: string;
  readonly group: number;
  readonly address: string;
  readonly output: AssetOutput;
}

export interface LedgerTransaction {
  readonly id: Hash;
  /** Leaf of the Merkle tree (protocol 03 §6.2). */
  readonly leaf: Hash;
  /** References of the inputs. */
  readonly spends: readonly string[];
  readonly creates: readonly LedgerOutput[];
  readonly transaction: Transaction;
}

export interface LedgerBlock {
  readonly hash: Hash;
  readonly from: number;
  readonly to: number;
  readonly isGenesis: boolean;
  /** G-1 in-deps and G out-deps (protocol 03 §4.1). */
  readonly deps: readonly Hash[];
  readonly timestamp: bigint;
  readonly target: number;
  readonly depStateHash: Hash;
  readonly txsHash: Hash;
  readonly transactions: readonly LedgerTransaction[];
  /** Set in the order of the blocks: parent's height + 1. */
  height: number;
}

const hintedHash = (script: AssetLockupScript): Hash => {
  if (script.kind === 'p2pkh') return script.publicKeyHash;
  return script.kind === 'p2sh' ? script.scriptHash : script.publicKeyHashes[0]!;
};

/** The hint of an asset output, unsigned (protocol 04 §1, "Hints"). */
export const hintOf = (script: AssetLockupScript): number =>
  (hexToBytes(hintedHash(script)).reduce((sum, byte) => (Math.imul(sum, 33) + byte) | 0, 5381) | 1) >>> 0;

/** The group of a hint: exclusive-or of its four bytes (protocol 04 §1). */
export const groupOfHint = (hint: number, groups: number): number =>
  ((hint >>> 24) ^ ((hint >>> 16) & 0xff) ^ ((hint >>> 8) & 0xff) ^ (hint & 0xff)) % groups;

const digits = (value: number): string => value.toString(16).padStart(8, '0');

const createdBy = (id: Hash, outputs: readonly AssetOutput[], groups: number): LedgerOutput[] =>
  outputs.map((output, index) => {
    const hint = hintOf(output.lockupScript);
    const key = blake2bHash(hexToBytes(id + digits(index)));
    return {
      reference: digits(hint) + key,
      group: groupOfHint(hint, groups),
      address: addressOf(output.lockupScript),
      output,
    };
  });

const ledgerTransaction = (transaction: Transaction, groups: number): LedgerTransaction => {
  const unsigned = encode(unsignedTransactionCodec, transaction.unsigned);
  const id = blake2bHash(unsigned);
  const afterUnsigned = encode(transactionCodec, transaction).subarray(unsigned.length);
  return {
    id,
    leaf: blake2bHash(Buffer.concat([hexToBytes(id), afterUnsigned])),
    spends: transaction.unsigned.inputs.map(({ outputReference: { hint, key } }) => digits(hint >>> 0) + key),
    creates: createdBy(id, transaction.unsigned.fixedOutputs, groups),
    transaction,
  };
};

/** A block from its bytes: names, chain and ids are computed here. Throws DecodeError. */
export const ledgerBlockOf = (raw: Uint8Array, groups: number): LedgerBlock => {
  const { header, transactions } = decodeBlock(raw, groups, { genesis: 'accepted' });
  const hash = bytesToHex(blake3Twice(header.raw));
  const chain = (256 * parseInt(hash.slice(60, 62), 16) + parseInt(hash.slice(62), 16)) % (groups * groups);
  return {
    hash,
    from: Math.floor(chain / groups),
    to: chain % groups,
    isGenesis: header.timestamp === genesisTimestamp,
    deps: header.blockDeps,
    timestamp: header.timestamp,
    target: header.target,
    depStateHash: header.depStateHash,
    txsHash: header.txsHash,
    transactions: transactions.map((transaction) => ledgerTransaction(transaction, groups)),
    height: 0,
  };
};

/** How an output stands in the state: kind `00`, lock time at least the time of its block (protocol 04 §3.7). */
export const storedOutput = ({ output }: LedgerOutput, timestamp: bigint): Uint8Array => {
  const lockTime = output.lockTime > timestamp ? output.lockTime : timestamp;
  return Uint8Array.from([0, ...encode(assetOutputCodec, { ...output, lockTime })]);
};

/** Merkle root of leaves (protocol 03 §6.2). */
export const rootOfLeaves = (leaves: readonly Hash[]): Hash => {
  if (leaves.length === 0) return '0'.repeat(64);
  const row = leaves.flatMap((left, i) =>
    i % 2 === 0 ? [blake2bHash(hexToBytes(left + (leaves[i + 1] ?? left)))] : [],
  );
  return row.length === 1 ? row[0]! : rootOfLeaves(row);
};

/** For people: the chain and the beginning of the hash. */
export const blockText = ({ from, to, height, hash }: LedgerBlock): string =>
  `block ${hash.slice(0, 16)} of chain (${from},${to}) at height ${height}`;
