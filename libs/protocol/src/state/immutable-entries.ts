import { ByteWriter, decode, DecodeError } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { type Contract, contractCodec } from '../script/index.js';
import { type ContractCode } from './contract-code.js';
import { type ImmutableState, immutableStateCodec } from './contract-records.js';
import { TrieFault } from './trie/trie-fault.js';

/** An entry of the immutable store, decoded (protocol 04 §4.3). */
export type ImmutableEntry =
  { readonly kind: 'state'; readonly state: ImmutableState } | { readonly kind: 'code'; readonly contract: Contract };

/** Synchronous reads of entries of the immutable store that are in memory; undefined where one is not. */
export interface ImmutableEntriesInMemory {
  entry(hash: Hash): ImmutableEntry | undefined;
}

/** Batched asynchronous reads of the immutable store: one round trip per call. */
export interface ImmutableEntryStore {
  /** The tagged value of each entry that exists; absent ones are left out. */
  loadImmutables(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>>;
}

/** `00` and an immutable state (protocol 04 §4.3). */
export const immutableStateValue = (state: ImmutableState): Uint8Array => {
  const writer = new ByteWriter();
  writer.byte(0);
  immutableStateCodec.write(writer, state);
  return writer.finish();
};

/** `01` and the bytes of a contract (protocol 04 §4.3). */
export const codeValue = (code: ContractCode): Uint8Array => {
  const writer = new ByteWriter(code.bytes.length + 1);
  writer.byte(1);
  writer.bytes(code.bytes);
  return writer.finish();
};

/** Reads a tagged value of the immutable store. Throws TrieFault(DecodingError). */
export const decodeImmutable = (value: Uint8Array): ImmutableEntry => {
  const content = value.subarray(1);
  try {
    if (value[0] === 0) return { kind: 'state', state: decode(immutableStateCodec, content) };
    if (value[0] === 1) return { kind: 'code', contract: decode(contractCodec, content) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new TrieFault('DecodingError', `an entry of the immutable store: ${error.message}`);
  }
  throw new TrieFault('DecodingError', 'an entry of the immutable store starts with neither 0 nor 1');
};
