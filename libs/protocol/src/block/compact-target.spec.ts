import { describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { compactTarget, hasEnoughWork, targetValue, workOf } from './index.js';

interface TargetVectors {
  target: {
    decode: { bits: string; value: string; reencoded?: string | null }[];
    encode: { value: string; bits: string }[];
  };
  weights: { bits: string; weight: string | null }[];
}

/** The numbers of these sections are hexadecimal, but for the weights (protocol 01 §18). */
const vectors = readVectors<TargetVectors>('encoding.json');
const bitsOf = (hex: string): number => parseInt(hex, 16);
const hexOf = (bits: number): string => bits.toString(16).padStart(8, '0');

describe('compact targets', () => {
  it.each(vectors.target.decode)('decodes $bits', ({ bits, value, reencoded }) => {
    expect(targetValue(bitsOf(bits))).toBe(BigInt(`0x${value}`));
    if (reencoded) expect(hexOf(compactTarget(targetValue(bitsOf(bits))))).toBe(reencoded);
  });

  it.each(vectors.target.encode)('encodes $value', ({ value, bits }) => {
    expect(hexOf(compactTarget(BigInt(`0x${value}`)))).toBe(bits);
  });

  it.each(vectors.weights)('weight of $bits', ({ bits, weight }) => {
    if (weight === null) expect(() => workOf(bitsOf(bits))).toThrow(RangeError);
    else expect(workOf(bitsOf(bits))).toBe(BigInt(weight));
  });

  it('takes no value outside 0 to 2^256-1', () => {
    expect(() => compactTarget(1n << 256n)).toThrow(RangeError);
    expect(() => compactTarget(-1n)).toThrow(RangeError);
  });

  it('has enough work up to the value of the target, equality included', () => {
    const hash = (value: bigint): string => value.toString(16).padStart(64, '0');
    const bits = 0x1d00ffff;
    expect(hasEnoughWork(hash(targetValue(bits)), bits)).toBe(true);
    expect(hasEnoughWork(hash(targetValue(bits) + 1n), bits)).toBe(false);
    expect(hasEnoughWork(hash(0n), 0x01000000)).toBe(true);
    expect(hasEnoughWork(hash(1n), 0x01000000)).toBe(false);
  });
});
