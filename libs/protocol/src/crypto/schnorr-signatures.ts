import { type SchnorrEngine } from './schnorr-engine.js';
import { schnorrEngine } from './selected-engines.js';
import { type SignatureVerifier } from './signatures.js';

/** `verifySchnorr` over a given engine. */
export const schnorrVerifierOver =
  (engine: SchnorrEngine): SignatureVerifier =>
  (message, signature, publicKey) => {
    if (message.length !== 32 || signature.length !== 64 || publicKey.length !== 32) return false;
    try {
      return engine.verify(message, signature, publicKey);
    } catch {
      // Engines disagree on which malformed signatures and keys throw; the protocol has one answer for all of them.
      return false;
    }
  };

/**
 * BIP340 verification (protocol 05 §6.5): a message of 32 bytes, 64 bytes R ++ s, an x-only public key of 32 bytes.
 * Never throws: every malformed input is false.
 */
export const verifySchnorr: SignatureVerifier = schnorrVerifierOver(schnorrEngine);
