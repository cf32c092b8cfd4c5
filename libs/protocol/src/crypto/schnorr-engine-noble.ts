import { schnorr } from '@noble/curves/secp256k1.js';
import { type SchnorrEngine } from './schnorr-engine.js';

/** Plain JavaScript: runs everywhere, and the oracle of the tests. */
export const nobleSchnorrEngine: SchnorrEngine = {
  name: 'noble',
  verify: (message, signature, publicKey) => schnorr.verify(signature, message, publicKey),
};
