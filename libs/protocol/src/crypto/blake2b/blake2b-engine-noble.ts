import { blake2b } from '@noble/hashes/blake2.js';
import { type Blake2bEngine } from './blake2b-engine.js';

/** Plain JavaScript: runs everywhere, and the oracle of the tests. */
export const nobleBlake2bEngine: Blake2bEngine = {
  name: 'noble',
  blake2b: (bytes) => blake2b(bytes, { dkLen: 32 }),
};
