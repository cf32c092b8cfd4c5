import { bigintFromBytes, bigintToBytes } from '../encoding/index.js';

/** n, the order of the curve secp256k1. */
export const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The message number e as 32 bytes below the curve order (protocol 01 §5): of a longer message the leftmost 32 bytes, a
 * shorter one as it is. Reduced here because engines differ in whether they reduce it before they derive the nonce.
 */
export const messageNumber = (message: Uint8Array): Uint8Array => {
  let bytes = message;
  if (message.length > 32) bytes = message.subarray(0, 32);
  else if (message.length < 32) {
    bytes = new Uint8Array(32);
    bytes.set(message, 32 - message.length);
  }
  // Only a number that starts with 120 one-bits can reach the order.
  if (bytes[0] !== 0xff || bytes[14] !== 0xff) return bytes;
  const value = bigintFromBytes(bytes);
  return value < curveOrder ? bytes : bigintToBytes(value - curveOrder, 32);
};

const orderBytes = bigintToBytes(curveOrder, 32);
const zero = new Uint8Array(32);

/** Negative, 0 or positive: the order of two numbers of 32 bytes. */
const compare = (a: Uint8Array, b: Uint8Array): number => {
  for (let at = 0; at < 32; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
};

/** Whether 32 bytes are a number 1 <= x < n. The number may be a private key: it is not copied into a bigint. */
export const isScalar = (bytes: Uint8Array): boolean => compare(bytes, zero) > 0 && compare(bytes, orderBytes) < 0;

/**
 * Writes a + b mod n, two numbers below n of 32 bytes each, into `sum`, without copies of them elsewhere (`isScalar`).
 * False when the sum is 0.
 */
export const addScalars = (a: Uint8Array, b: Uint8Array, sum: Uint8Array): boolean => {
  let carry = 0;
  for (let at = 31; at >= 0; at--) {
    carry += a[at]! + b[at]!;
    sum[at] = carry;
    carry >>= 8;
  }
  if (carry === 0 && compare(sum, orderBytes) < 0) return compare(sum, zero) > 0;
  let borrow = 0;
  for (let at = 31; at >= 0; at--) {
    const difference = sum[at]! - orderBytes[at]! - borrow;
    sum[at] = difference;
    borrow = difference < 0 ? 1 : 0;
  }
  return compare(sum, zero) > 0;
};
