import { bytesToHex, hexToBytes } from '../encoding/index.js';
import { type Hash } from '../primitives/hash.js';
import { blake2b } from './blake2b/index.js';

const parentOf = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const pair = new Uint8Array(64);
  pair.set(left);
  pair.set(right, 32);
  return blake2b(pair);
};

/**
 * Merkle root of leaf hashes in order: 32 zero bytes without leaves; an odd last entry pairs with itself, a single leaf
 * included (protocol 01 §4.5). A list and the same list with its last leaf repeated can have one root.
 */
export const merkleRoot = (leaves: readonly Hash[]): Hash => {
  if (leaves.length === 0) return '0'.repeat(64);
  let row = leaves.map(hexToBytes);
  do {
    const next: Uint8Array[] = [];
    for (let i = 0; i < row.length; i += 2) next.push(parentOf(row[i]!, row[i + 1] ?? row[i]!));
    row = next;
  } while (row.length > 1);
  return bytesToHex(row[0]!);
};
