import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { bitLength } from './index.js';

describe('bit length', () => {
  it.each([
    [0n, 0],
    [1n, 1],
    [2n, 2],
    [0x3fff_ffffn, 30],
    [0x4000_0000n, 31],
    [(1n << 256n) - 1n, 256],
  ])('of %d is %i', (value, bits) => {
    expect(bitLength(value)).toBe(bits);
  });

  it('is the number of binary digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1n << 600n }), (value) => bitLength(value) === value.toString(2).length),
    );
    fc.assert(fc.property(fc.integer({ min: 0, max: 600 }), (bits) => bitLength(1n << BigInt(bits)) === bits + 1));
  });
});
