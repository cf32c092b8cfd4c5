import { bitLength } from './bit-length.js';
import { type ByteReader } from './byte-reader.js';
import { type ByteWriter } from './byte-writer.js';
import { type Codec } from './codec.js';
import { invalidValue, tooFewBytes, wrongFormat } from './decode-error.js';

const u256Limit = 1n << 256n;
const i256Min = -(1n << 255n);
const i256Max = (1n << 255n) - 1n;

interface CompactForm {
  /** Payload bits 6, 14 or 30; 0 for the multi-byte form. */
  readonly bits: 6 | 14 | 30 | 0;
  readonly small: number;
  /** Payload of the multi-byte form. */
  readonly payload?: Uint8Array;
}

/** Reads any of the four forms (protocol 01 §2.2): the two top bits of the first byte give the form. */
const readForm = (reader: ByteReader): CompactForm => {
  if (reader.remaining === 0) throw tooFewBytes(1, 0);
  const first = reader.bytes[reader.offset]!;
  const form = first >> 6;
  const size = form === 0 ? 1 : form === 1 ? 2 : form === 2 ? 4 : 1 + (first & 0x3f) + 4;
  if (reader.remaining < size) throw tooFewBytes(size, reader.remaining);
  const { bytes, offset } = reader;
  reader.offset += size;
  const head = first & 0x3f;
  if (form === 0) return { bits: 6, small: head };
  if (form === 1) return { bits: 14, small: (head << 8) | bytes[offset + 1]! };
  if (form === 2) {
    return {
      bits: 30,
      small: (head << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!,
    };
  }
  return { bits: 0, small: 0, payload: bytes.subarray(offset + 1, offset + size) };
};

const signExtend = (value: number, bits: number): number => (value << (32 - bits)) >> (32 - bits);

/** Unsigned big-endian number of any length. */
export const bigintFromBytes = (bytes: Uint8Array): bigint => {
  let value = 0n;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    const word = ((bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!) >>> 0;
    value = (value << 32n) | BigInt(word);
  }
  for (; i < bytes.length; i++) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
};

/** Holds eight bytes while they are copied. */
const oneWord = new Uint8Array(8);
const wordView = new DataView(oneWord.buffer);

/** `length` bytes, big-endian, of a number 0 <= value < 256^length. */
export const bigintToBytes = (value: bigint, length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  let rest = value;
  // Eight bytes at a time: operations on large integers are what costs.
  for (let end = length; end > 0 && rest > 0n; end -= 8) {
    wordView.setBigUint64(0, BigInt.asUintN(64, rest));
    rest >>= 64n;
    for (let i = end - 1, j = 7; i >= 0 && j >= 0; i--, j--) bytes[i] = oneWord[j]!;
  }
  return bytes;
};

const writeSmall = (writer: ByteWriter, value: number, bits: 6 | 14 | 30): void => {
  if (bits === 6) return writer.byte(value & 0x3f);
  if (bits === 14) {
    writer.byte(0x40 | ((value >> 8) & 0x3f));
    return writer.byte(value & 0xff);
  }
  writer.byte(0x80 | ((value >> 24) & 0x3f));
  writer.byte((value >> 16) & 0xff);
  writer.byte((value >> 8) & 0xff);
  writer.byte(value & 0xff);
};

const writePayload = (writer: ByteWriter, payload: Uint8Array): void => {
  writer.byte(0xc0 + payload.length - 4);
  writer.bytes(payload);
};

const unsignedBits = (value: bigint): 6 | 14 | 30 | 0 =>
  value < 0x40n ? 6 : value < 0x4000n ? 14 : value < 0x4000_0000n ? 30 : 0;

const signedBits = (value: bigint): 6 | 14 | 30 | 0 =>
  value >= -0x20n && value < 0x20n
    ? 6
    : value >= -0x2000n && value < 0x2000n
      ? 14
      : value >= -0x2000_0000n && value < 0x2000_0000n
        ? 30
        : 0;

const exactPayload = (payload: Uint8Array, length: number, text: string): Uint8Array => {
  if (payload.length !== length) throw wrongFormat(text);
  return payload;
};

/** Unsigned 256-bit compact integer: amounts, gas price, unsigned script constants (protocol 01 §2.2). */
export const u256: Codec<bigint> = {
  write: (writer, value) => {
    const bits = unsignedBits(value);
    if (bits !== 0) return writeSmall(writer, Number(value), bits);
    const length = Math.ceil(value.toString(16).length / 2);
    writePayload(writer, bigintToBytes(value, length));
  },
  read: (reader) => {
    const form = readForm(reader);
    if (!form.payload) return BigInt(form.small >>> 0);
    const value = bigintFromBytes(form.payload);
    if (value >= u256Limit) throw invalidValue(`Expect U256, but get ${value}`);
    return value;
  },
};

/** Unsigned 32-bit compact integer (protocol 01 §2.2): request ids of peer messages. */
export const u32: Codec<number> = {
  write: (writer, value) => u256.write(writer, BigInt(value)),
  read: (reader) => {
    const form = readForm(reader);
    if (!form.payload) return form.small >>> 0;
    const text = `Expect 4 bytes int, but get ${form.payload.length} bytes int`;
    return Number(bigintFromBytes(exactPayload(form.payload, 4, text)));
  },
};

/** Signed 32-bit compact integer: every length and count, gas amount, multisig numbers (protocol 01 §2.2). */
export const i32: Codec<number> = {
  write: (writer, value) => {
    if (value >= -0x20 && value < 0x20) return writeSmall(writer, value, 6);
    if (value >= -0x2000 && value < 0x2000) return writeSmall(writer, value, 14);
    if (value >= -0x2000_0000 && value < 0x2000_0000) return writeSmall(writer, value, 30);
    writer.byte(0xc0);
    writer.bytes(bigintToBytes(BigInt.asUintN(32, BigInt(value)), 4));
  },
  read: (reader) => {
    const form = readForm(reader);
    if (!form.payload) return signExtend(form.small, form.bits);
    const text = `Expect 4 bytes int, but get ${form.payload.length} bytes int`;
    return Number(BigInt.asIntN(32, bigintFromBytes(exactPayload(form.payload, 4, text))));
  },
};

/** Signed 64-bit compact integer; the multi-byte form has always 8 payload bytes (protocol 01 §2.2). */
export const i64: Codec<bigint> = {
  write: (writer, value) => {
    const bits = signedBits(value);
    if (bits !== 0) return writeSmall(writer, Number(value), bits);
    writer.byte(0xc4);
    writer.bytes(bigintToBytes(BigInt.asUintN(64, value), 8));
  },
  read: (reader) => {
    const form = readForm(reader);
    if (!form.payload) return BigInt(signExtend(form.small, form.bits));
    const text = `Expect 9 bytes long, but get ${form.payload.length} bytes long`;
    return BigInt.asIntN(64, bigintFromBytes(exactPayload(form.payload, 8, text)));
  },
};

/** Bytes of the payload: one bit for the sign. */
/** Bytes of the two's complement, its sign bit included; at least 4. */
const minimalSignedLength = (value: bigint): number =>
  Math.max(4, Math.floor(bitLength(value < 0n ? -value - 1n : value) / 8) + 1);

/** Signed 256-bit compact integer: signed script constants (protocol 01 §2.2). */
export const i256: Codec<bigint> = {
  write: (writer, value) => {
    const bits = signedBits(value);
    if (bits !== 0) return writeSmall(writer, Number(value), bits);
    const length = minimalSignedLength(value);
    writePayload(writer, bigintToBytes(BigInt.asUintN(8 * length, value), length));
  },
  read: (reader) => {
    const form = readForm(reader);
    if (!form.payload) return BigInt(signExtend(form.small, form.bits));
    const bits = 8 * form.payload.length;
    const value = BigInt.asIntN(bits, bigintFromBytes(form.payload));
    if (form.payload.length > 32 || value < i256Min || value > i256Max)
      throw invalidValue(`Expect I256, but get ${value}`);
    return value;
  },
};
