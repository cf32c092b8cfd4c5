import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type KeyRecoveryEngine } from './key-recovery-engine.js';

/** Plain JavaScript: runs everywhere, and the oracle of the tests. */
export const nobleKeyRecoveryEngine: KeyRecoveryEngine = {
  name: 'noble',
  recover: (message, signature, oddY) =>
    secp256k1.Signature.fromBytes(signature)
      .addRecoveryBit(oddY ? 1 : 0)
      .recoverPublicKey(message)
      .toBytes(false),
};
