import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type SignatureEngine } from './signature-engine.js';

/** The message is already a hash and must not be hashed again. */
const options = { prehash: false, lowS: true } as const;

/** Plain JavaScript: runs everywhere, and the oracle of the tests. */
export const nobleSignatureEngine: SignatureEngine = {
  name: 'noble',
  verify: (message, signature, publicKey) => secp256k1.verify(signature, message, publicKey, options),
  sign: (message, privateKey) => secp256k1.sign(message, privateKey, options),
  isPublicKey: (publicKey) => secp256k1.utils.isValidPublicKey(publicKey, true),
  publicKeyOf: (privateKey) => secp256k1.getPublicKey(privateKey, true),
};
