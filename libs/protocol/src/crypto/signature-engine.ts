/**
 * ECDSA over secp256k1. The callers of an engine (`signatures.ts`) have already brought the message to 32 bytes below
 * the curve order and checked all lengths. Each engine is one file; `selected-engines.ts` chooses.
 */
export interface SignatureEngine {
  readonly name: string;
  /** False, or an exception, for any other than a valid low-s signature; the caller turns both into false. */
  verify(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean;
  /** 64 bytes r ++ s: RFC 6979 with HMAC-SHA-256 and no extra entropy, low s. Throws for a private key out of range. */
  sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /** Whether these 33 bytes are a point of the curve. */
  isPublicKey(publicKey: Uint8Array): boolean;
  /** 33 bytes, compressed. Throws for a private key out of range. */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
}
