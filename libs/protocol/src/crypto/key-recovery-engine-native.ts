import { type KeyRecoveryEngine } from './key-recovery-engine.js';

/** libsecp256k1 as a native addon. Rejects where there is no binary for the machine. */
export const loadNativeKeyRecoveryEngine = async (): Promise<KeyRecoveryEngine> => {
  const { default: bindings } = await import('secp256k1/bindings.js');
  return {
    name: 'secp256k1 native',
    recover: (message, signature, oddY) => bindings.ecdsaRecover(signature, oddY ? 1 : 0, message, false),
  };
};
