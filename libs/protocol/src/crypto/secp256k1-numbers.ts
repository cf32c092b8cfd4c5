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

/** Whether 32 bytes are a number 1 <= x < n. */
export const isScalar = (bytes: Uint8Array): boolean => {
  const value = bigintFromBytes(bytes);
  return value > 0n && value < curveOrder;
};
