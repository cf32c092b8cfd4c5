/**
 * BIP340 signatures over secp256k1. The caller (`schnorr-signatures.ts`) has checked the lengths: message and public
 * key 32 bytes, signature 64. Each engine is one file; `selected-engines.ts` chooses.
 */
export interface SchnorrEngine {
  readonly name: string;
  /** False, or an exception, for an invalid signature; the caller turns both into false. */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
}
