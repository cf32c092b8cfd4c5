import { ed25519 } from '@noble/curves/ed25519.js';
import { type Ed25519Engine } from './ed25519-engine.js';

/**
 * Plain JavaScript: runs everywhere, and is the oracle of the tests. Without `zip215` it accepts only canonical
 * encodings and no key of small order, as in the protocol (05 §19.1).
 */
export const nobleEd25519Engine: Ed25519Engine = {
  name: 'noble',
  verify: (message, signature, publicKey) => ed25519.verify(signature, message, publicKey, { zip215: false }),
};
