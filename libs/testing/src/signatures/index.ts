import { bigintFromBytes, bigintToBytes } from '@shardnode/protocol/encoding';

/** Order n of the curve secp256k1. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The signature with n - s in place of s: of the upper half, if it was valid. 64 bytes. */
export const withNegatedS = (signature: Uint8Array): Uint8Array => {
  const negated = signature.slice();
  negated.set(bigintToBytes(curveOrder - bigintFromBytes(signature.subarray(32)), 32), 32);
  return negated;
};
