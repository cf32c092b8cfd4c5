import { ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';
import { wrongFormat } from './decode-error.js';

/** One declaration that encodes and decodes a value (protocol 01 §2.6: a record is its fields in order, nothing else). */
export interface Codec<T> {
  /** Appends the canonical encoding of `value`. */
  write(writer: ByteWriter, value: T): void;
  /** Reads a value and leaves the rest to the next decoder. Throws DecodeError. */
  read(reader: ByteReader): T;
  /** A check of the whole object; at top level it follows the trailing-bytes check (protocol 01 §1, Order). */
  readonly check?: (value: T) => void;
}

/** `expectedLength` saves memory and time where the length is known, bytes; it is no limit. */
export const encode = <T>(codec: Codec<T>, value: T, expectedLength?: number): Uint8Array => {
  const writer = new ByteWriter(expectedLength);
  codec.write(writer, value);
  return writer.finish();
};

/** Top-level decode: any unread byte is an error (protocol 01 §1). Throws DecodeError. */
export const decode = <T>(codec: Codec<T>, bytes: Uint8Array): T => decodeFrom(codec, new ByteReader(bytes));

/** The same for all bytes of a reader at their start. */
export const decodeFrom = <T>(codec: Codec<T>, reader: ByteReader): T => {
  const unchecked = isChecked(codec) ? codec.unchecked : codec;
  const value = unchecked.read(reader);
  if (reader.remaining > 0) throw wrongFormat(`Too many bytes: expected ${reader.offset}, got ${reader.bytes.length}`);
  codec.check?.(value);
  return value;
};

interface CheckedCodec<T> extends Codec<T> {
  readonly unchecked: Codec<T>;
  readonly check: (value: T) => void;
}
const isChecked = <T>(codec: Codec<T>): codec is CheckedCodec<T> => 'unchecked' in codec;

/**
 * A codec with a check of the whole object. Nested, the check is made right after the object has been read; at top
 * level the trailing-bytes error comes first (protocol 01 §1, Order).
 */
export const checked = <T>(unchecked: Codec<T>, check: (value: T) => void): Codec<T> => {
  const codec: CheckedCodec<T> = {
    unchecked,
    check,
    write: unchecked.write,
    read: (reader) => {
      const value = unchecked.read(reader);
      check(value);
      return value;
    },
  };
  return codec;
};

/** A record: its fields in wire order, no tags, no length (protocol 01 §2.6). */
export const record = <T extends object>(fields: { [K in keyof T]-?: Codec<T[K]> }): Codec<T> => {
  const entries = Object.entries(fields) as [keyof T, Codec<T[keyof T]>][];
  return {
    write: (writer, value) => {
      for (const [name, codec] of entries) codec.write(writer, value[name]);
    },
    read: (reader) => {
      const value = {} as T;
      for (const [name, codec] of entries) value[name] = codec.read(reader);
      return value;
    },
  };
};
