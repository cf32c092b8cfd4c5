import { type Ed25519Engine } from './ed25519-engine.js';
import { ed25519Engine } from './selected-engines.js';
import { type SignatureVerifier } from './signatures.js';

/** `verifyEd25519` over a given engine. */
export const ed25519VerifierOver =
  (engine: Ed25519Engine): SignatureVerifier =>
  (message, signature, publicKey) => {
    if (signature.length !== 64 || publicKey.length !== 32) return false;
    try {
      return engine.verify(message, signature, publicKey);
    } catch {
      // Engines disagree on which malformed signatures and keys throw; the protocol has one answer for all of them.
      return false;
    }
  };

/**
 * Ed25519 with cofactor (protocol 05 §6.5): 64 bytes R ++ S, S below the group order; R and the 32-byte key canonical;
 * the key not of small order. Never throws: every malformed input is false.
 */
export const verifyEd25519: SignatureVerifier = ed25519VerifierOver(ed25519Engine);
