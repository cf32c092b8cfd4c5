import { type KeyRecoveryEngine } from './key-recovery-engine.js';

/** libsecp256k1 as WebAssembly. Rejects where WebAssembly cannot be loaded. */
export const loadWasmKeyRecoveryEngine = async (): Promise<KeyRecoveryEngine> => {
  const tiny = await import('tiny-secp256k1');
  return {
    name: 'tiny-secp256k1',
    recover: (message, signature, oddY) => {
      const publicKey = tiny.recover(message, signature, oddY ? 1 : 0, false);
      if (!publicKey) throw new RangeError('no public key');
      return publicKey;
    },
  };
};
