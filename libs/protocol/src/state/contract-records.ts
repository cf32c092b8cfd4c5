import { blake2bHash, blake2bTwice } from '../crypto/index.js';
import {
  type Codec,
  decode,
  DecodeError,
  encode,
  hash32,
  hexToBytes,
  record,
  bytesToHex,
  ByteWriter,
} from '../encoding/index.js';
import { type Hash, type OutputReference, outputReferenceCodec } from '../primitives/index.js';
import { type Val, valsCodec } from '../script/index.js';
import { TrieFault } from './trie/trie-fault.js';

/** Record of a contract in the contract trie (protocol 04 §4.2). */
export interface ContractRecord {
  readonly mutableFields: readonly Val[];
  /** The contract's one output. */
  readonly outputReference: OutputReference;
  readonly immutableStateHash: Hash;
}

/** State that changes only by migration, in the immutable store (protocol 04 §4.3). */
export interface ImmutableState {
  readonly codeHash: Hash;
  /** Computed at creation; migrations do not change it (protocol 04 §4.1). */
  readonly initialStateHash: Hash;
  readonly immutableFields: readonly Val[];
}

/** protocol 04 §4.2 */
export const contractRecordCodec: Codec<ContractRecord> = record<ContractRecord>({
  mutableFields: valsCodec,
  outputReference: outputReferenceCodec,
  immutableStateHash: hash32,
});

/** protocol 04 §4.3, without the tag byte */
export const immutableStateCodec: Codec<ImmutableState> = record<ImmutableState>({
  codeHash: hash32,
  initialStateHash: hash32,
  immutableFields: valsCodec,
});

/** Key of an immutable state in the immutable store (protocol 04 §4.3). */
export const immutableStateHashOf = (state: ImmutableState): Hash => blake2bHash(encode(immutableStateCodec, state));

/** HH(code hash, all fields as given at creation: immutable ones, then mutable ones) (protocol 04 §4.1). */
export const initialStateHashOf = (
  codeHash: Hash,
  immutableFields: readonly Val[],
  mutableFields: readonly Val[],
): Hash => {
  const writer = new ByteWriter();
  hash32.write(writer, codeHash);
  valsCodec.write(writer, [...immutableFields, ...mutableFields]);
  return bytesToHex(blake2bTwice(writer.finish()));
};

/** The form of contracts before the second protocol version; only the initial entry has it (protocol 04 §3.4). */
interface PlaceholderRecord {
  readonly codeHash: Hash;
  readonly initialStateHash: Hash;
  readonly fields: readonly Val[];
  readonly outputReference: OutputReference;
}

const placeholderRecordCodec: Codec<PlaceholderRecord> = record<PlaceholderRecord>({
  codeHash: hash32,
  initialStateHash: hash32,
  fields: valsCodec,
  outputReference: outputReferenceCodec,
});

/** Key of a contract in the contract trie: its id (protocol 04 §3.1). */
export const contractStateKey = (contractId: Hash): Uint8Array => hexToBytes(contractId);

/** Value of a contract in the contract trie (protocol 04 §4.2). */
export const contractStateValue = (contract: ContractRecord): Uint8Array => encode(contractRecordCodec, contract);

const tryDecode = <T>(codec: Codec<T>, value: Uint8Array): T | DecodeError => {
  try {
    return decode(codec, value);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
};

/**
 * The record that a value of the contract trie encodes; undefined for the placeholder, the four-field form, which is
 * tried second (protocol 04 §4.2). Throws TrieFault(DecodingError).
 */
export const recordOfStateValue = (value: Uint8Array): ContractRecord | undefined => {
  const contract = tryDecode(contractRecordCodec, value);
  if (!(contract instanceof DecodeError)) return contract;
  if (!(tryDecode(placeholderRecordCodec, value) instanceof DecodeError)) return undefined;
  throw new TrieFault('DecodingError', `a contract of the state: ${contract.message}`);
};
