import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';
import { nobleBlake2bEngine } from './blake2b/blake2b-engine-noble.js';
import { type HashEngine } from './hash-engine.js';

/** Plain JavaScript: runs everywhere, and the oracle of the tests. */
export const nobleHashEngine: HashEngine = {
  ...nobleBlake2bEngine,
  blake3: (bytes) => blake3(bytes),
  keccak256: (bytes) => keccak_256(bytes),
  sha256: (bytes) => sha256(bytes),
  sha3: (bytes) => sha3_256(bytes),
};
