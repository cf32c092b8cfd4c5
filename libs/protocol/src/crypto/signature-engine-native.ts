import { type SignatureEngine } from './signature-engine.js';

/**
 * libsecp256k1 as a native addon. Rejects where there is no binary for the machine. The addon is named directly because
 * the package's main entry falls back silently to a JavaScript library with open key-leak reports.
 */
export const loadNativeSignatureEngine = async (): Promise<SignatureEngine> => {
  const { default: bindings } = await import('secp256k1/bindings.js');
  return {
    name: 'secp256k1 native',
    verify: (message, signature, publicKey) => bindings.ecdsaVerify(signature, message, publicKey),
    sign: (message, privateKey) => bindings.ecdsaSign(message, privateKey).signature,
    isPublicKey: (publicKey) => bindings.publicKeyVerify(publicKey),
    publicKeyOf: (privateKey) => bindings.publicKeyCreate(privateKey),
  };
};
