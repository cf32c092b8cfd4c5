import { type Blake2bEngine } from './blake2b/blake2b-engine.js';

/**
 * Hash functions of the protocol. Each engine is one file; `selected-engines.ts` chooses. Every digest has 32 bytes.
 */
export interface HashEngine extends Blake2bEngine {
  /** BLAKE3 in plain hash mode, its first 32 bytes (protocol 01 §4.1). */
  blake3(bytes: Uint8Array): Uint8Array;
  /** Keccak-256 with the original padding, as in Ethereum (protocol 05 §6.5). */
  keccak256(bytes: Uint8Array): Uint8Array;
  /** SHA-256. */
  sha256(bytes: Uint8Array): Uint8Array;
  /** SHA3-256 with the standard padding (protocol 05 §6.5). */
  sha3(bytes: Uint8Array): Uint8Array;
}
