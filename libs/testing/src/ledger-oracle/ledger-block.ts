import { addressOf } from '@shardnode/protocol/address';
import { decodeBlock } from '@shardnode/protocol/block';
import { blake2bHash, blake3Twice } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type AssetLockupScript, type Hash } from '@shardnode/protocol/primitives';
import {
  type Output,
  outputCodec,
  type Transaction,
  transactionCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { genesisTimestamp } from './network.js';

/** An output and its name: hint and key, 72 hexadecimal digits. Contracts own outputs as addresses do. */
export interface LedgerOutput {
  readonly reference: string;
  readonly group: number;
  readonly address: string;
  readonly output: Output;
}

export interface LedgerTransaction {
  readonly id: Hash;
  /** Leaf of the Merkle tree (protocol 03 §6.2). */
  readonly leaf: Hash;
  /** References of the inputs, then of the contract inputs. */
  readonly spends: readonly string[];
  /** Fixed outputs, then those that the script made. */
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

const scriptHint = (hash: Hash): number =>
  hexToBytes(hash).reduce((sum, byte) => (Math.imul(sum, 33) + byte) | 0, 5381) | 1;

/** The hint of an asset output, unsigned (protocol 04 §1, "Hints"). */
export const hintOf = (script: AssetLockupScript): number => scriptHint(hintedHash(script)) >>> 0;

/** The group of a hint: exclusive-or of its four bytes (protocol 04 §1). */
export const groupOfHint = (hint: number, groups: number): number =>
  ((hint >>> 24) ^ ((hint >>> 16) & 0xff) ^ ((hint >>> 8) & 0xff) ^ (hint & 0xff)) % groups;

const digits = (value: number): string => value.toString(16).padStart(8, '0');

interface Owner extends Pick<LedgerOutput, 'group' | 'address'> {
  readonly hint: number;
}

/** Who owns an output, and the first half of its name (protocol 04 §1, "Hints"). */
const ownerOf = (output: Output, groups: number): Owner => {
  if (output.kind === 'contract') {
    const { contractId } = output;
    const group = parseInt(contractId.slice(-2), 16) % groups;
    return { hint: (scriptHint(contractId) ^ 1) >>> 0, group, address: addressOf({ kind: 'p2c', contractId }) };
  }
  const hint = hintOf(output.lockupScript);
  return { hint, group: groupOfHint(hint, groups), address: addressOf(output.lockupScript) };
};

/** The same few thousand addresses come again and again; more than so many are forgotten all at once. */
const rememberedOwners = 100_000;
const owners = new Map<string, Owner>();

/** `ownerOf`, made once for each public key hash: an address takes longer than all else that a block takes to read. */
const rememberedOwner = (output: Output, groups: number): Owner => {
  if (output.kind === 'contract' || output.lockupScript.kind !== 'p2pkh') return ownerOf(output, groups);
  const name = `${groups} ${output.lockupScript.publicKeyHash}`;
  const owner = owners.get(name) ?? ownerOf(output, groups);
  if (owners.size >= rememberedOwners) owners.clear();
  owners.set(name, owner);
  return owner;
};

const createdBy = (id: Hash, outputs: readonly Output[], groups: number): LedgerOutput[] =>
  outputs.map((output, index) => {
    const { hint, group, address } = rememberedOwner(output, groups);
    const key = blake2bHash(hexToBytes(id + digits(index)));
    return { reference: digits(hint) + key, group, address, output };
  });

/** An even hint names a contract output (protocol 04 §1, "Hints"). */
export const isContractReference = (reference: string): boolean => parseInt(reference.slice(7, 8), 16) % 2 === 0;

const ledgerTransaction = (transaction: Transaction, groups: number): LedgerTransaction => {
  const { unsigned } = transaction;
  const unsignedBytes = encode(unsignedTransactionCodec, unsigned);
  const id = blake2bHash(unsignedBytes);
  const afterUnsigned = encode(transactionCodec, transaction).subarray(unsignedBytes.length);
  return {
    id,
    leaf: blake2bHash(Buffer.concat([hexToBytes(id), afterUnsigned])),
    spends: [...unsigned.inputs.map(({ outputReference }) => outputReference), ...transaction.contractInputs].map(
      ({ hint, key }) => digits(hint >>> 0) + key,
    ),
    creates: createdBy(id, [...unsigned.fixedOutputs, ...transaction.generatedOutputs], groups),
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

/** How an output stands in the state: the lock time of an asset is at least the time of its block (protocol 04 §3.7). */
export const storedOutput = ({ output }: LedgerOutput, timestamp: bigint): Uint8Array => {
  if (output.kind === 'contract') return encode(outputCodec, output);
  const lockTime = output.lockTime > timestamp ? output.lockTime : timestamp;
  return encode(outputCodec, { ...output, lockTime });
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
