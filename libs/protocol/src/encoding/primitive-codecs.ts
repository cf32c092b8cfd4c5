import { type Codec } from './codec.js';
import { i32, bigintFromBytes, bigintToBytes } from './compact-integer.js';
import { invalidValue, tooFewBytes, wrongFormat } from './decode-error.js';
import { bytesToHex, hexToBytes } from './hex.js';

/** One byte as 0..255. */
export const unsignedByte: Codec<number> = { write: (w, value) => w.byte(value), read: (r) => r.byte() };

/** One byte as -128..127: versions and network ids (protocol 01 §2.1). */
export const signedByte: Codec<number> = { write: (w, value) => w.byte(value), read: (r) => (r.byte() << 24) >> 24 };

/** Exactly `length` raw bytes. */
export const fixedBytes = (length: number): Codec<Uint8Array> => ({
  write: (writer, value) => {
    if (value.length !== length) throw new RangeError(`expected ${length} bytes, got ${value.length}`);
    writer.bytes(value);
  },
  read: (reader) => reader.take(length),
});

/** 32 raw bytes held as 64 lower-case hexadecimal digits: hashes and ids (protocol 01 §2.1). */
export const hash32: Codec<string> = {
  write: (writer, value) => {
    if (value.length !== 64) throw new RangeError(`expected a 32-byte hash, got ${value.length / 2} bytes`);
    writer.bytes(hexToBytes(value));
  },
  read: (reader) => {
    const { bytes, offset } = reader;
    if (offset + 32 > bytes.length) throw tooFewBytes(32, reader.remaining);
    reader.offset += 32;
    return bytesToHex(bytes.subarray(offset, offset + 32));
  },
};

/** 4 bytes big-endian two's complement: hints (protocol 01 §2.1). */
export const fixedI32: Codec<number> = {
  write: (writer, value) => {
    writer.byte(value >> 24);
    writer.byte(value >> 16);
    writer.byte(value >> 8);
    writer.byte(value);
  },
  read: (reader) => {
    const b = reader.take(4);
    return (b[0]! << 24) | (b[1]! << 16) | (b[2]! << 8) | b[3]!;
  },
};

/** 4 bytes big-endian unsigned: compact targets. */
export const fixedU32: Codec<number> = { write: fixedI32.write, read: (reader) => fixedI32.read(reader) >>> 0 };

/** 8 bytes big-endian milliseconds since 1970, 0 to 2^63-1 (protocol 01 §2.1). */
export const timestamp: Codec<bigint> = {
  write: (writer, value) => writer.bytes(bigintToBytes(value, 8)),
  read: (reader) => {
    const value = bigintFromBytes(reader.take(8));
    if (value >= 1n << 63n) throw invalidValue('Negative timestamp');
    return value;
  },
};

export const boolean: Codec<boolean> = {
  write: (writer, value) => writer.byte(value ? 1 : 0),
  read: (reader) => {
    const flag = reader.byte();
    if (flag > 1) throw invalidValue(`Invalid bool from byte ${(flag << 24) >> 24}`);
    return flag === 1;
  },
};

/** `00` for none, `01` and the value otherwise (protocol 01 §2.3). */
export const option = <T>(codec: Codec<T>): Codec<T | undefined> => ({
  write: (writer, value) => {
    writer.byte(value === undefined ? 0 : 1);
    if (value !== undefined) codec.write(writer, value);
  },
  read: (reader) => {
    const flag = reader.byte();
    if (flag > 1) throw wrongFormat('expect 0 or 1 for option flag');
    return flag === 1 ? codec.read(reader) : undefined;
  },
});

/** `00` and A, or `01` and B (protocol 01 §2.3); `isSecond` selects one when encoding. */
export const either = <A, B>(
  first: Codec<A>,
  second: Codec<B>,
  isSecond: (value: A | B) => value is B,
): Codec<A | B> => ({
  write: (writer, value) => {
    if (isSecond(value)) {
      writer.byte(1);
      second.write(writer, value);
    } else {
      writer.byte(0);
      first.write(writer, value as A);
    }
  },
  read: (reader) => {
    const flag = reader.byte();
    if (flag > 1) throw wrongFormat('expect 0 or 1 for either flag');
    return flag === 1 ? second.read(reader) : first.read(reader);
  },
});

/** A length and that many raw bytes (protocol 01 §2.4). */
export const byteString: Codec<Uint8Array> = {
  write: (writer, value) => {
    i32.write(writer, value.length);
    writer.bytes(value);
  },
  read: (reader) => {
    const length = i32.read(reader);
    if (length < 0) throw invalidValue(`Negative byte string length: ${length}`);
    return reader.take(length);
  },
};

/** A count and that many values (protocol 01 §2.5). A count above the bytes left is refused before any element. */
export const vector = <T>(codec: Codec<T>): Codec<readonly T[]> => ({
  write: (writer, values) => {
    i32.write(writer, values.length);
    for (const value of values) codec.write(writer, value);
  },
  read: (reader) => {
    const count = i32.read(reader);
    if (count < 0) throw invalidValue(`Negative array size: ${count}`);
    if (count > reader.remaining) throw invalidValue(`Malicious array size: ${count}`);
    const values: T[] = [];
    for (let i = 0; i < count; i++) values.push(codec.read(reader));
    return values;
  },
});
