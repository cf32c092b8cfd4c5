/**
 * Recovery of the public key from an ECDSA signature over secp256k1. The caller (`eth-address-recovery.ts`) has already
 * brought the message to 32 bytes below the curve order and checked 0 < r, s < n. Each engine is one file;
 * `selected-engines.ts` chooses.
 */
export interface KeyRecoveryEngine {
  readonly name: string;
  /**
   * The 65 bytes `04` ++ x ++ y of the key, for s of either half. `oddY`: parity of the point whose x coordinate is r.
   * Throws when r is no x coordinate, and when the key would be the point at infinity.
   */
  recover(message: Uint8Array, signature: Uint8Array, oddY: boolean): Uint8Array;
}
