import { bigintFromBytes, bigintToBytes, sameBytes } from '../encoding/index.js';
import { blake2b } from './blake2b/index.js';
import { sha256 } from './hashes.js';
import { type KeyRecoveryEngine } from './key-recovery-engine.js';
import { curveOrder, isScalar, messageNumber } from './secp256k1-numbers.js';
import { keyRecoveryEngine } from './selected-engines.js';
import { type SignatureVerifier, verifySignature } from './signatures.js';

/** A signature that did not verify. */
export interface RefusedSignature {
  /** 32 bytes. */
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  /** The key with which it must verify, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** Keys whose signatures stand in other places. */
  readonly otherKeys: readonly Uint8Array[];
}

/** Hashes that libraries apply to a message before they sign it. */
const hashes = {
  BLAKE2b: blake2b,
  'SHA-256': sha256,
  'double SHA-256': (message: Uint8Array) => sha256(sha256(message)),
} as const;

type HashName = keyof typeof hashes;
const hashNames = Object.keys(hashes) as HashName[];

/** `isUpperHalf`: whether s is above half the order besides, which alone makes a signature invalid (protocol 01 §5). */
export type SignatureMistake =
  /** It verifies with n - s in place of s. */
  | { readonly kind: 'upper-half' }
  /** It is the key's signature of a hash of the message. */
  | { readonly kind: 'hashed-before'; readonly hash: HashName; readonly isUpperHalf: boolean }
  /** It is the signature of the message by another of the keys. */
  | { readonly kind: 'another-order'; readonly publicKey: Uint8Array; readonly isUpperHalf: boolean }
  | { readonly kind: 'unknown'; readonly isUpperHalf: boolean };

const isSignature = (bytes: Uint8Array): boolean =>
  bytes.length === 64 && isScalar(bytes.subarray(0, 32)) && isScalar(bytes.subarray(32));

/** The signature with s in the lower half. */
const normalised = (signature: Uint8Array): Uint8Array => {
  const s = bigintFromBytes(signature.subarray(32));
  if (s <= curveOrder / 2n) return signature;
  const low = signature.slice();
  low.set(bigintToBytes(curveOrder - s, 32), 32);
  return low;
};

const compressed = (point: Uint8Array): Uint8Array => {
  const publicKey = point.slice(0, 33);
  publicKey[0] = point[64]! % 2 === 0 ? 2 : 3;
  return publicKey;
};

/**
 * The keys with which the signature verifies, for s of either half. Without the two of a point whose x coordinate is
 * r + n, because no one can find such a point.
 */
const signersOf = (engine: KeyRecoveryEngine, message: Uint8Array, signature: Uint8Array): Uint8Array[] =>
  [false, true].flatMap((oddY) => {
    try {
      return [compressed(engine.recover(messageNumber(message), signature, oddY))];
    } catch {
      // r is no point of the curve, or the key is the point at infinity: no key has made it.
      return [];
    }
  });

/** `diagnoseSignature` over a given engine and verifier. */
export const signatureDiagnosisOver =
  (engine: KeyRecoveryEngine, verify: SignatureVerifier) =>
  ({ message, signature, publicKey, otherKeys }: RefusedSignature): SignatureMistake => {
    if (!isSignature(signature)) return { kind: 'unknown', isUpperHalf: false };
    const low = normalised(signature);
    const isUpperHalf = low !== signature;
    const signers = signersOf(engine, message, signature);
    const hasSigned = (key: Uint8Array): boolean => signers.some((signer) => sameBytes(signer, key));
    if (hasSigned(publicKey)) return isUpperHalf ? { kind: 'upper-half' } : { kind: 'unknown', isUpperHalf };
    const other = otherKeys.find(hasSigned);
    if (other) return { kind: 'another-order', publicKey: other, isUpperHalf };
    const hash = hashNames.find((name) => verify(hashes[name](message), low, publicKey));
    return hash ? { kind: 'hashed-before', hash, isUpperHalf } : { kind: 'unknown', isUpperHalf };
  };

/**
 * The mistake of a signature that did not verify. Never throws. Its cost has a bound, because anyone can send wrong
 * signatures: two recoveries and three verifications. The keys are recovered and compared, hence their number adds no
 * operation on the curve.
 */
export const diagnoseSignature = signatureDiagnosisOver(keyRecoveryEngine, verifySignature);
