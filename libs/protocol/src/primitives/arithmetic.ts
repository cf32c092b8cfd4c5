import { bitLength } from '../encoding/index.js';

/** Checked arithmetic on 256-bit integers (protocol 01 §3). Undefined: there is no result, never a wrapped number. */

const modulus = 1n << 256n;
const mask = modulus - 1n;

export const u256Max = mask;
export const i256Min = -(1n << 255n);
export const i256Max = (1n << 255n) - 1n;

type Result = bigint | undefined;

export const isU256 = (value: bigint): boolean => value >= 0n && value <= u256Max;
export const isI256 = (value: bigint): boolean => value >= i256Min && value <= i256Max;

const asU256 = (value: bigint): Result => (isU256(value) ? value : undefined);
const asI256 = (value: bigint): Result => (isI256(value) ? value : undefined);

/** base^exponent where its size is bounded; undefined when the result has certainly more than 256 bits. */
const boundedPower = (base: bigint, exponent: bigint): Result => {
  if (exponent === 0n || base === 1n) return 1n;
  if (base === 0n) return 0n;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  const size = base < 0n ? -base : base;
  if (BigInt(bitLength(size) - 1) * exponent > 256n) return undefined;
  return base ** exponent;
};

const modPow = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  let square = base & mask;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) & mask;
    square = (square * square) & mask;
  }
  return result;
};

/** Operands are u256; the exponent of both powers too. */
export const u256Arithmetic = {
  add: (a: bigint, b: bigint): Result => asU256(a + b),
  sub: (a: bigint, b: bigint): Result => asU256(a - b),
  mul: (a: bigint, b: bigint): Result => asU256(a * b),
  /** Undefined for divisor 0. */
  div: (a: bigint, b: bigint): Result => (b === 0n ? undefined : a / b),
  /** Undefined for divisor 0. */
  mod: (a: bigint, b: bigint): Result => (b === 0n ? undefined : a % b),
  pow: (base: bigint, exponent: bigint): Result => {
    const power = boundedPower(base, exponent);
    return power === undefined ? undefined : asU256(power);
  },
  modAdd: (a: bigint, b: bigint): bigint => (a + b) & mask,
  modSub: (a: bigint, b: bigint): bigint => (a - b) & mask,
  modMul: (a: bigint, b: bigint): bigint => (a * b) & mask,
  modPow,
  /** Undefined for n = 0. */
  mulModN: (a: bigint, b: bigint, n: bigint): Result => (n === 0n ? undefined : (a * b) % n),
  /** Undefined for n = 0. */
  addModN: (a: bigint, b: bigint, n: bigint): Result => (n === 0n ? undefined : (a + b) % n),
  and: (a: bigint, b: bigint): bigint => a & b,
  or: (a: bigint, b: bigint): bigint => a | b,
  xor: (a: bigint, b: bigint): bigint => a ^ b,
  /** The low 256 bits; 0 from 256 places on. */
  shl: (a: bigint, places: bigint): bigint => (places >= 256n ? 0n : (a << places) & mask),
  shr: (a: bigint, places: bigint): bigint => (places >= 256n ? 0n : a >> places),
} as const;

/** Operands are i256; the exponent of the power is u256. Quotients are rounded toward 0. */
export const i256Arithmetic = {
  add: (a: bigint, b: bigint): Result => asI256(a + b),
  sub: (a: bigint, b: bigint): Result => asI256(a - b),
  mul: (a: bigint, b: bigint): Result => asI256(a * b),
  /** Undefined for divisor 0 and for -2^255 / -1. */
  div: (a: bigint, b: bigint): Result => (b === 0n ? undefined : asI256(a / b)),
  /** The sign of the dividend. Undefined for divisor 0 and for -2^255 mod -1. */
  mod: (a: bigint, b: bigint): Result => (b === 0n || (b === -1n && a === i256Min) ? undefined : a % b),
  pow: (base: bigint, exponent: bigint): Result => {
    const power = boundedPower(base, exponent);
    return power === undefined ? undefined : asI256(power);
  },
} as const;
