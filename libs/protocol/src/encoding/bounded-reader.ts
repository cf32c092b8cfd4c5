import { ByteReader } from './byte-reader.js';
import { invalidValue } from './decode-error.js';

/**
 * A reader that refuses the byte string after `most`, empty ones included. For bytes of clients: a byte string of two
 * bytes becomes an array with 200 bytes of memory.
 */
export class BoundedReader extends ByteReader {
  private taken = 0;

  constructor(
    bytes: Uint8Array,
    private readonly most: number,
  ) {
    super(bytes);
  }

  override take(length: number): Uint8Array {
    if (++this.taken > this.most) throw invalidValue(`Too many byte strings: expected at most ${this.most}`);
    return super.take(length);
  }
}
