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

/** Holds the 32 bytes of a number while they are copied: four words at once take half the time of smaller steps. */
const words = new Uint8Array(32);
const wordView = new DataView(words.buffer);

/** Stores the 256 lowest bits of a number there, two's complement for a negative one. */
const putWords = (value: bigint): void => {
  wordView.setBigUint64(24, value);
  wordView.setBigUint64(16, value >> 64n);
  wordView.setBigUint64(8, value >> 128n);
  wordView.setBigUint64(0, value >> 192n);
};

const numberInWords = (): bigint =>
  (((((wordView.getBigUint64(0) << 64n) | wordView.getBigUint64(8)) << 64n) | wordView.getBigUint64(16)) << 64n) |
  wordView.getBigUint64(24);

/** Unsigned big-endian number of any length. */
export const bigintFromBytes = (bytes: Uint8Array): bigint => {
  if (bytes.length === words.length) {
    words.set(bytes);
    return numberInWords();
  }
  let value = 0n;
  let i = 0;
  for (; i + 4 <= bytes.length; i += 4) {
    const word = ((bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!) >>> 0;
    value = (value << 32n) | BigInt(word);
  }
  for (; i < bytes.length; i++) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
};

/** `length` bytes, at most 32, big-endian, of a number 0 <= value < 256^length. */
export const bigintToBytes = (value: bigint, length: number): Uint8Array => {
  if (length > words.length) throw new RangeError(`expected at most 32 bytes, got ${length}`);
  if (length <= 8) wordView.setBigUint64(24, value);
  else putWords(value);
  return words.slice(words.length - length);
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

/** Writes the number in the words from this byte on. */
const writePayload = (writer: ByteWriter, first: number): void => {
  const start = Math.min(first, words.length - 4);
  writer.byte(0xc0 + words.length - 4 - start);
  writer.bytes(words.subarray(start));
};

/** The first byte that is not zero. */
const firstUnsigned = (): number => {
  let first = 0;
  while (first < words.length && words[first] === 0) first++;
  return first;
};

/** The first byte that is needed besides copies of the sign. */
const firstSigned = (): number => {
  const sign = words[0]! > 0x7f ? 0xff : 0;
  let first = 0;
  while (first < words.length - 1 && words[first] === sign && ((words[first + 1]! ^ sign) & 0x80) === 0) first++;
  return first;
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
    putWords(value);
    writePayload(writer, firstUnsigned());
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

/** Signed 256-bit compact integer: signed script constants (protocol 01 §2.2). */
export const i256: Codec<bigint> = {
  write: (writer, value) => {
    const bits = signedBits(value);
    if (bits !== 0) return writeSmall(writer, Number(value), bits);
    putWords(value);
    writePayload(writer, firstSigned());
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
