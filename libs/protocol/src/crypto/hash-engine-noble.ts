import { blake2b } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { type HashEngine } from './hash-engine.js';

/** Plain JavaScript: runs everywhere, and the oracle of the tests. */
export const nobleHashEngine: HashEngine = {
  name: 'noble',
  blake2b: (bytes) => blake2b(bytes, { dkLen: 32 }),
  blake3: (bytes) => blake3(bytes),
  keccak256: (bytes) => keccak_256(bytes),
  sha256: (bytes) => sha256(bytes),
  sha3: (bytes) => sha3_256(bytes),
};
