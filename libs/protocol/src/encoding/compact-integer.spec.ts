import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { decode, encode } from './codec.js';
import { bigintFromBytes, bigintToBytes, i256, u256 } from './compact-integer.js';
import { bytesToHex } from './hex.js';

/** Numbers at the ends of all lengths, and any others. */
const powers = fc.tuple(fc.nat(256), fc.constantFrom(-1n, 0n, 1n)).map(([bits, more]) => (1n << BigInt(bits)) + more);
const unsigned = fc
  .oneof(powers, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
  .map((value) => BigInt.asUintN(256, value));
const signed = fc.tuple(unsigned, fc.boolean()).map(([value, minus]) => BigInt.asIntN(256, minus ? -value : value));

describe('numbers as bytes', () => {
  it.each(Array.from({ length: 33 }, (_, length) => length))('of length %i', (length) => {
    fc.assert(
      fc.property(unsigned, (number) => {
        const value = BigInt.asUintN(8 * length, number);
        const bytes = bigintToBytes(value, length);
        expect(bytesToHex(bytes)).toBe(length === 0 ? '' : value.toString(16).padStart(2 * length, '0'));
        expect(bigintFromBytes(bytes)).toBe(value);
      }),
      { numRuns: 30 },
    );
  });

  it('of more than 32 bytes are read, not made', () => {
    expect(bigintFromBytes(Uint8Array.of(1, ...new Uint8Array(40)))).toBe(1n << 320n);
    expect(() => bigintToBytes(1n, 33)).toThrow(RangeError);
  });
});

describe('compact numbers', () => {
  it('come back, in as few bytes as hold them', () => {
    fc.assert(
      fc.property(unsigned, (value) => {
        const bytes = encode(u256, value);
        expect(decode(u256, bytes)).toBe(value);
        if (bytes.length > 5) expect(bytes[1]).not.toBe(0);
      }),
    );
    fc.assert(
      fc.property(signed, (value) => {
        const bytes = encode(i256, value);
        expect(decode(i256, bytes)).toBe(value);
        // One byte less would not hold it.
        const bits = BigInt(8 * (bytes.length - 2));
        if (bytes.length > 5) expect(BigInt.asIntN(Number(bits), value)).not.toBe(value);
      }),
    );
  });
});
