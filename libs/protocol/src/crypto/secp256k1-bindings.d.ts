/** The part in use of the native bindings, which come without types. Failures are thrown. */
declare module 'secp256k1/bindings.js' {
  interface Bindings {
    ecdsaVerify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
    ecdsaSign(message: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array };
    publicKeyVerify(publicKey: Uint8Array): boolean;
    publicKeyCreate(privateKey: Uint8Array): Uint8Array;
    ecdsaRecover(signature: Uint8Array, recoveryId: number, message: Uint8Array, compressed: boolean): Uint8Array;
  }
  const bindings: Bindings;
  export = bindings;
}
