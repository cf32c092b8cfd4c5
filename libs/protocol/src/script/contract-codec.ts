import { blake2bHash } from '../crypto/blake2b/index.js';
import { type ByteReader, type Codec, decode, encode, i32, vector } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { methodCodec } from './method-codec.js';
import { type Contract, type Method } from './model.js';

const ends = vector(i32);

/** The methods in the area that follows their ends: each must fill its slice, and no slice is empty. */
const readMethods = (reader: ByteReader, methodEnds: readonly number[]): Method[] => {
  const length = Math.max(0, Math.min(methodEnds.at(-1) ?? 0, reader.remaining));
  const area = reader.take(length);
  const within = (end: number): number => Math.max(0, Math.min(end, length));
  return methodEnds.map((end, index) => {
    const start = within(methodEnds[index - 1] ?? 0);
    return decode(methodCodec, area.subarray(start, Math.max(start, within(end))));
  });
};

/**
 * The code of a contract: number of fields, where each method ends in the method area, the methods one after the other
 * (protocol 05 §3.4). The last end may lie behind the last byte; encoding gives the canonical ends.
 */
export const contractCodec: Codec<Contract> = {
  write: (writer, { fieldLength, methods }) => {
    const bodies = methods.map((method) => encode(methodCodec, method));
    let end = 0;
    i32.write(writer, fieldLength);
    ends.write(
      writer,
      bodies.map((bytes) => (end += bytes.length)),
    );
    for (const bytes of bodies) writer.bytes(bytes);
  },
  read: (reader) => ({ fieldLength: i32.read(reader), methods: readMethods(reader, ends.read(reader)) }),
};

const encoded = new WeakMap<Contract, Uint8Array>();

/** The canonical encoding, cached for each contract in memory; read-only. */
export const contractBytes = (contract: Contract): Uint8Array => {
  const known = encoded.get(contract);
  if (known) return known;
  const bytes = encode(contractCodec, contract);
  encoded.set(contract, bytes);
  return bytes;
};

/** blake2b of the canonical encoding (protocol 05 §3.5). */
export const contractCodeHash = (contract: Contract): Hash => blake2bHash(contractBytes(contract));

const areaLengths = new WeakMap<Contract, number>();

/** Bytes of all methods in canonical form: the last of the canonical ends (protocol 05 §3.4). */
export const methodAreaLength = (contract: Contract): number => {
  const known = areaLengths.get(contract);
  if (known !== undefined) return known;
  const length = contract.methods.reduce((sum, method) => sum + encode(methodCodec, method).length, 0);
  areaLengths.set(contract, length);
  return length;
};
