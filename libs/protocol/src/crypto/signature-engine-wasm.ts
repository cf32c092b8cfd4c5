import { type SignatureEngine } from './signature-engine.js';

/** libsecp256k1 as WebAssembly. Rejects where WebAssembly cannot be loaded. */
export const loadWasmSignatureEngine = async (): Promise<SignatureEngine> => {
  const tiny = await import('tiny-secp256k1');
  return {
    name: 'tiny-secp256k1',
    // Low s is a consensus rule; without `strict` this library would take high s.
    verify: (message, signature, publicKey) => tiny.verify(message, publicKey, signature, true),
    sign: (message, privateKey) => tiny.sign(message, privateKey),
    isPublicKey: (publicKey) => tiny.isPointCompressed(publicKey),
    publicKeyOf: (privateKey) => {
      const publicKey = tiny.pointFromScalar(privateKey, true);
      if (!publicKey) throw new RangeError('invalid private key');
      return publicKey;
    },
  };
};
