import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { bigintFromBytes, bigintToBytes } from '../encoding/index.js';
import { addScalars, curveOrder, isScalar } from './secp256k1-numbers.js';

const top = 2n ** 256n - 1n;
const edges = [0n, 1n, 2n, curveOrder - 2n, curveOrder - 1n, curveOrder / 2n, curveOrder / 2n + 1n];
const number = (max: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt({ min: 0n, max }), fc.constantFrom(...edges.filter((edge) => edge <= max)));

describe('numbers of the curve, in bytes', () => {
  it('a scalar is a number from 1 to n - 1', () => {
    for (const [value, expected] of [
      [0n, false],
      [1n, true],
      [curveOrder - 1n, true],
      [curveOrder, false],
      [curveOrder + 1n, false],
      [top, false],
    ] as const)
      expect(isScalar(bigintToBytes(value, 32))).toBe(expected);
    fc.assert(
      fc.property(fc.oneof(number(top), fc.bigInt({ min: curveOrder - 3n, max: curveOrder + 3n })), (value) => {
        expect(isScalar(bigintToBytes(value, 32))).toBe(value > 0n && value < curveOrder);
      }),
    );
  });

  it('are added modulo n; a sum of 0 is told', () => {
    const below = number(curveOrder - 1n);
    const opposites = below.map((value): [bigint, bigint] => [value, (curveOrder - value) % curveOrder]);
    fc.assert(
      fc.property(fc.oneof(fc.tuple(below, below), opposites), ([a, b]) => {
        const sum = new Uint8Array(32);
        const expected = (a + b) % curveOrder;
        expect(addScalars(bigintToBytes(a, 32), bigintToBytes(b, 32), sum)).toBe(expected !== 0n);
        expect(bigintFromBytes(sum)).toBe(expected);
      }),
    );
  });
});
