import { bigintFromBytes, bigintToBytes } from '../encoding/index.js';
import { signatureEngine } from './selected-engines.js';
import { type SignatureEngine } from './signature-engine.js';

/** Verification as a function to pass around: message, 64-byte signature, 33-byte public key. */
export type SignatureVerifier = (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean;

/** n, the order of the curve. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The message number e as 32 bytes below the curve order (protocol 01 §5): of a longer message the leftmost 32 bytes, a
 * shorter one as it is. Reduced here because engines differ in whether they reduce it before they derive the nonce.
 */
const messageNumber = (message: Uint8Array): Uint8Array => {
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

/** `verifySignature` over a given engine. */
export const verifierOver =
  (engine: SignatureEngine): SignatureVerifier =>
  (message, signature, publicKey) => {
    if (signature.length !== 64 || publicKey.length !== 33) return false;
    if (publicKey[0] !== 2 && publicKey[0] !== 3) return false;
    try {
      return engine.verify(messageNumber(message), signature, publicKey);
    } catch {
      // Engines disagree on which malformed signatures and keys throw; the protocol has one answer for all of them.
      return false;
    }
  };

/** `sign` over a given engine. */
export const signerOver =
  (engine: SignatureEngine) =>
  (message: Uint8Array, privateKey: Uint8Array): Uint8Array => {
    assertPrivateKey(privateKey);
    return engine.sign(messageNumber(message), privateKey);
  };

/** `publicKeyOf` over a given engine. */
export const publicKeysOver =
  (engine: SignatureEngine) =>
  (privateKey: Uint8Array): Uint8Array => {
    assertPrivateKey(privateKey);
    return engine.publicKeyOf(privateKey);
  };

/** Whether these are 32 bytes of a number 1 <= d < n (protocol 01 §5). */
export const isPrivateKey = (privateKey: Uint8Array): boolean => {
  if (privateKey.length !== 32) return false;
  const value = bigintFromBytes(privateKey);
  return value > 0n && value < curveOrder;
};

const assertPrivateKey = (privateKey: Uint8Array): void => {
  if (!isPrivateKey(privateKey)) throw new RangeError('invalid private key');
};

/**
 * Whether the 64-byte signature (r ++ s, s not above half the order) over the message is by the 33-byte compressed
 * public key. Never throws: every malformed input is false (protocol 01 §5). In the protocol the message has 32 bytes.
 */
export const verifySignature: SignatureVerifier = verifierOver(signatureEngine);

/**
 * The deterministic low-s signature, 64 bytes r ++ s (protocol 01 §5). In the protocol the message has 32 bytes.
 * Throws RangeError for a private key outside 1..n-1.
 */
export const sign = signerOver(signatureEngine);

/** The compressed public key, 33 bytes (protocol 01 §5). Throws RangeError for a private key outside 1..n-1. */
export const publicKeyOf = publicKeysOver(signatureEngine);
