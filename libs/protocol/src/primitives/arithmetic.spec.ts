import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { i256Arithmetic, i256Max, i256Min, u256Arithmetic, u256Max } from './arithmetic.js';

const edges = fc.constantFrom(0n, 1n, 2n, 255n, 256n, 257n, 2n ** 128n, 2n ** 255n, u256Max - 1n, u256Max);
const u256 = fc.oneof(fc.bigInt({ min: 0n, max: u256Max }), edges);
const signedEdges = fc.constantFrom(i256Min, i256Min + 1n, -256n, -2n, -1n, 0n, 1n, 2n, i256Max - 1n, i256Max);
const i256 = fc.oneof(fc.bigInt({ min: i256Min, max: i256Max }), signedEdges);
const modulus = u256Max + 1n;
const remainder = (value: bigint): bigint => ((value % modulus) + modulus) % modulus;
const within = (value: bigint, min: bigint, max: bigint): bigint | undefined =>
  value >= min && value <= max ? value : undefined;

describe('u256 arithmetic', () => {
  it('is exact or has no result', () => {
    fc.assert(
      fc.property(u256, u256, (a, b) => {
        expect(u256Arithmetic.add(a, b)).toBe(within(a + b, 0n, u256Max));
        expect(u256Arithmetic.sub(a, b)).toBe(within(a - b, 0n, u256Max));
        expect(u256Arithmetic.mul(a, b)).toBe(within(a * b, 0n, u256Max));
        expect(u256Arithmetic.div(a, b)).toBe(b === 0n ? undefined : a / b);
        expect(u256Arithmetic.mod(a, b)).toBe(b === 0n ? undefined : a % b);
      }),
    );
  });

  it('wraps only where it is asked to', () => {
    fc.assert(
      fc.property(u256, u256, u256, (a, b, n) => {
        expect(u256Arithmetic.modAdd(a, b)).toBe(remainder(a + b));
        expect(u256Arithmetic.modSub(a, b)).toBe(remainder(a - b));
        expect(u256Arithmetic.modMul(a, b)).toBe(remainder(a * b));
        expect(u256Arithmetic.mulModN(a, b, n)).toBe(n === 0n ? undefined : (a * b) % n);
        expect(u256Arithmetic.addModN(a, b, n)).toBe(n === 0n ? undefined : (a + b) % n);
        expect(u256Arithmetic.xor(a, b)).toBe((a | b) - (a & b));
      }),
    );
  });

  it('shifts by any number of places', () => {
    fc.assert(
      fc.property(u256, fc.bigInt({ min: 0n, max: 300n }), (a, places) => {
        expect(u256Arithmetic.shl(a, places)).toBe(remainder(a * 2n ** places));
        expect(u256Arithmetic.shr(a, places)).toBe(a / 2n ** places);
      }),
    );
    expect([u256Arithmetic.shl(1n, u256Max), u256Arithmetic.shr(u256Max, u256Max)]).toEqual([0n, 0n]);
  });

  it('raises to powers without computing what cannot fit', () => {
    fc.assert(
      fc.property(u256, fc.bigInt({ min: 0n, max: 300n }), (base, exponent) => {
        expect(u256Arithmetic.pow(base, exponent)).toBe(within(base ** exponent, 0n, u256Max));
        expect(u256Arithmetic.modPow(base, exponent)).toBe(remainder(base ** exponent));
      }),
    );
    expect(u256Arithmetic.pow(0n, 0n)).toBe(1n);
    expect(u256Arithmetic.pow(2n, 255n)).toBe(2n ** 255n);
    for (const base of [2n, 3n, u256Max]) expect(u256Arithmetic.pow(base, u256Max)).toBeUndefined();
    for (const base of [0n, 1n]) expect(u256Arithmetic.pow(base, u256Max)).toBe(base);
    // 3 has order 2^254 modulo 2^256, so 3^(2^256 - 1) is its inverse.
    expect(u256Arithmetic.modMul(3n, u256Arithmetic.modPow(3n, u256Max))).toBe(1n);
  });
});

describe('i256 arithmetic', () => {
  it('is exact or has no result', () => {
    fc.assert(
      fc.property(i256, i256, (a, b) => {
        expect(i256Arithmetic.add(a, b)).toBe(within(a + b, i256Min, i256Max));
        expect(i256Arithmetic.sub(a, b)).toBe(within(a - b, i256Min, i256Max));
        expect(i256Arithmetic.mul(a, b)).toBe(within(a * b, i256Min, i256Max));
        expect(i256Arithmetic.div(a, b)).toBe(b === 0n ? undefined : within(a / b, i256Min, i256Max));
        const overflows = a === i256Min && b === -1n;
        expect(i256Arithmetic.mod(a, b)).toBe(b === 0n || overflows ? undefined : a % b);
      }),
    );
    expect([i256Arithmetic.div(i256Min, -1n), i256Arithmetic.mod(i256Min, -1n)]).toEqual([undefined, undefined]);
  });

  it('raises to powers without computing what cannot fit', () => {
    fc.assert(
      fc.property(i256, fc.bigInt({ min: 0n, max: 300n }), (base, exponent) => {
        expect(i256Arithmetic.pow(base, exponent)).toBe(within(base ** exponent, i256Min, i256Max));
      }),
    );
    expect([i256Arithmetic.pow(-1n, u256Max), i256Arithmetic.pow(-1n, u256Max - 1n)]).toEqual([-1n, 1n]);
    expect([i256Arithmetic.pow(-2n, 255n), i256Arithmetic.pow(2n, 255n)]).toEqual([i256Min, undefined]);
    expect(i256Arithmetic.pow(-2n, u256Max)).toBeUndefined();
  });
});
