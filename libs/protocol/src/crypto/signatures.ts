import { isScalar, messageNumber } from './secp256k1-numbers.js';
import { signatureEngine } from './selected-engines.js';
import { type SignatureEngine } from './signature-engine.js';

/** Verification as a function to pass around: message, 64-byte signature, 33-byte public key. */
export type SignatureVerifier = (message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean;

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

/** `isPublicKey` over a given engine. */
export const publicKeyTestOver =
  (engine: SignatureEngine) =>
  (publicKey: Uint8Array): boolean =>
    publicKey.length === 33 && (publicKey[0] === 2 || publicKey[0] === 3) && engine.isPublicKey(publicKey);

/** `publicKeyOf` over a given engine. */
export const publicKeysOver =
  (engine: SignatureEngine) =>
  (privateKey: Uint8Array): Uint8Array => {
    assertPrivateKey(privateKey);
    return engine.publicKeyOf(privateKey);
  };

/** Whether these are 32 bytes of a number 1 <= d < n (protocol 01 §5). */
export const isPrivateKey = (privateKey: Uint8Array): boolean => privateKey.length === 32 && isScalar(privateKey);

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

/** Whether this is a compressed public key: 33 bytes, a point of the curve. Never throws. */
export const isPublicKey = publicKeyTestOver(signatureEngine);

/** The compressed public key, 33 bytes (protocol 01 §5). Throws RangeError for a private key outside 1..n-1. */
export const publicKeyOf = publicKeysOver(signatureEngine);
