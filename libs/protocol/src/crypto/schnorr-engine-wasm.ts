import { type SchnorrEngine } from './schnorr-engine.js';

/** libsecp256k1 as WebAssembly. Rejects where WebAssembly cannot be loaded. */
export const loadWasmSchnorrEngine = async (): Promise<SchnorrEngine> => {
  const tiny = await import('tiny-secp256k1');
  return {
    name: 'tiny-secp256k1',
    verify: (message, signature, publicKey) => tiny.verifySchnorr(message, publicKey, signature),
  };
};
