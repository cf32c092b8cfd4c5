/**
 * Zeroed bytes for a secret, which its owner wipes with `fill(0)`. They lie outside of the heap of the engine: there the
 * garbage collector moves small arrays (up to 64 bytes) and leaves copies that `fill` does not reach.
 */
export const secretBytes = (length: number): Uint8Array => new Uint8Array(new ArrayBuffer(length));
