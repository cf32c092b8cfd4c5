/** A growing byte buffer that encoders append to. */
export class ByteWriter {
  private buffer: Uint8Array;
  private used = 0;

  constructor(initialCapacity = 256) {
    this.buffer = new Uint8Array(initialCapacity);
  }

  get length(): number {
    return this.used;
  }

  private reserve(extra: number): void {
    const needed = this.used + extra;
    if (needed <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, this.buffer.length * 2));
    grown.set(this.buffer.subarray(0, this.used));
    this.buffer = grown;
  }

  /** Appends one byte; only the low 8 bits of `value` count. */
  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.used++] = value;
  }

  bytes(value: Uint8Array): void {
    this.reserve(value.length);
    this.buffer.set(value, this.used);
    this.used += value.length;
  }

  /** Everything written so far, independent of later writes. */
  finish(): Uint8Array {
    // A full buffer is never written to again.
    return this.used === this.buffer.length ? this.buffer : this.buffer.slice(0, this.used);
  }
}
