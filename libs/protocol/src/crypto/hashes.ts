import { hashEngine } from './selected-engines.js';

/** BLAKE3, 32 bytes: the shuffle of the group order (protocol 01 §4.1). */
export const blake3 = (bytes: Uint8Array): Uint8Array => hashEngine.blake3(bytes);

/** BLAKE3 of BLAKE3: block hashes (protocol 01 §14.3). */
export const blake3Twice = (bytes: Uint8Array): Uint8Array => hashEngine.blake3(hashEngine.blake3(bytes));

/** SHA-256, 32 bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hashEngine.sha256(bytes);

/** Keccak-256 with the original padding, 32 bytes (protocol 01 §4.1). */
export const keccak256 = (bytes: Uint8Array): Uint8Array => hashEngine.keccak256(bytes);

/** SHA3-256 with the standard padding, 32 bytes (protocol 01 §4.1). */
export const sha3 = (bytes: Uint8Array): Uint8Array => hashEngine.sha3(bytes);
