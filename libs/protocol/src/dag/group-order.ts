import { blake3 } from '../crypto/index.js';
import { hexToBytes } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';

const sumOfWords = (bytes: Uint8Array): number => {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 4) {
    sum = (sum + ((bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!)) | 0;
  }
  return sum;
};

const floorModulo = (value: number, modulus: number): number => ((value % modulus) + modulus) % modulus;

/** The order in which best dependencies visit the groups, derived from a block hash (protocol 03 §7.7). */
export const groupOrder = (hash: Hash, groups: number): number[] => {
  const order = Array.from({ length: groups }, (_, group) => group);
  let seed = hexToBytes(hash);
  for (let i = 0; i < groups - 1; i++) {
    const j = i + floorModulo(sumOfWords(seed), groups - i);
    [order[i], order[j]] = [order[j]!, order[i]!];
    seed = blake3(seed);
  }
  return order;
};
