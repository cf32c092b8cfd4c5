import { tooFewBytes } from './decode-error.js';

/** Shared, because code of 4 kB may have thousands of empty byte strings, and an array has 200 bytes of memory. */
const noBytes = new Uint8Array(0);

/** A cursor over received bytes; decoders advance it from left to right (protocol 01 §1). */
export class ByteReader {
  offset: number;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, offset = 0) {
    // A subclass such as Buffer may slice without copying, which would leak into decoded values. So this is a plain
    // view of the same memory.
    this.bytes =
      bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** The next byte as 0..255. Refused when none is left. */
  byte(): number {
    if (this.offset >= this.bytes.length) throw tooFewBytes(1, 0);
    return this.bytes[this.offset++]!;
  }

  /** The next `length` bytes as a copy, so that a decoded value does not retain the whole input. */
  take(length: number): Uint8Array {
    if (length === 0) return noBytes;
    const end = this.offset + length;
    if (end > this.bytes.length) throw tooFewBytes(length, this.remaining);
    const taken = this.bytes.slice(this.offset, end);
    this.offset = end;
    return taken;
  }

  /** The bytes read since `start` (an earlier value of `offset`), copied. */
  since(start: number): Uint8Array {
    return this.bytes.slice(start, this.offset);
  }
}
