/**
 * Ed25519 verification with cofactor (protocol 05 §6.5). The caller (`ed25519-signatures.ts`) has checked the lengths:
 * public key 32 bytes, signature 64. Each engine is one file; `selected-engines.ts` chooses.
 */
export interface Ed25519Engine {
  readonly name: string;
  /** False, or an exception, for an invalid signature; the caller turns both into false. */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
}
