import { bitLength } from '../encoding/index.js';
import { type LockupScript } from '../primitives/index.js';
import { type Val } from '../script/index.js';

/** Bytes of a compact signed number whose magnitude takes `bits` bits besides its sign (protocol 05 §2.1). */
const signedLength = (bits: number): number => {
  if (bits < 6) return 1;
  if (bits < 14) return 2;
  return bits < 30 ? 4 : 1 + Math.max(4, Math.floor(bits / 8) + 1);
};

const unsignedLength = (bits: number): number => {
  if (bits <= 6) return 1;
  if (bits <= 14) return 2;
  return bits <= 30 ? 4 : 1 + Math.max(4, Math.ceil(bits / 8));
};

/** Bytes of a length or count, which is encoded as a signed 32-bit number. */
const countLength = (count: number): number => signedLength(count === 0 ? 0 : 32 - Math.clz32(count));

const lockupScriptLength = (script: LockupScript): number => {
  if (script.kind !== 'p2mpkh') return 33;
  const keys = script.publicKeyHashes.length;
  return 1 + countLength(keys) + 32 * keys + countLength(script.m);
};

const contentLength = (val: Val): number => {
  switch (val.type) {
    case 'Bool':
      return 1;
    case 'I256':
      return signedLength(bitLength(val.value < 0n ? -val.value - 1n : val.value));
    case 'U256':
      return unsignedLength(bitLength(val.value));
    case 'ByteVec':
      return countLength(val.value.length) + val.value.length;
    case 'Address':
      return lockupScriptLength(val.value);
  }
};

/**
 * The length of the encoded field list (protocol 05 §2.3) without encoding it: values may share large byte strings, so
 * the list can be far longer than the gas charged so far covers.
 */
export const encodedFieldsLength = (fields: readonly Val[]): number =>
  fields.reduce((length, field) => length + 1 + contentLength(field), countLength(fields.length));
