import { bytesToHex, ByteReader, ByteWriter, DecodeError, i32 } from '../../encoding/index.js';
import { type Hash } from '../../primitives/index.js';
import { type NibblePath, packPath } from './nibble-path.js';
import { TrieFault } from './trie-fault.js';

/** A node as stored, read once: where its parts lie in its bytes (protocol 04 §2.3). */
export type TrieNode = TrieLeaf | TrieBranch;

export interface TrieLeaf {
  readonly kind: 'leaf';
  readonly raw: Uint8Array;
  /** The remaining nibbles of the key. */
  readonly path: NibblePath;
  readonly data: Uint8Array;
}

export interface TrieBranch {
  readonly kind: 'branch';
  readonly raw: Uint8Array;
  /** The nibbles shared by all keys below. */
  readonly path: NibblePath;
  /** Bit i is set when slot i has a child. */
  readonly mask: number;
  /** Offset in `raw` of the flag byte of slot 0. */
  readonly childrenStart: number;
}

const countBits = (mask: number): number => {
  let bits = mask - ((mask >> 1) & 0x5555);
  bits = (bits & 0x3333) + ((bits >> 2) & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0f0f;
  return (bits + (bits >> 8)) & 0x1f;
};

/** The 32 raw bytes of the child in slot 0..15; undefined when the slot is empty. */
export const childHash = (branch: TrieBranch, slot: number): Uint8Array | undefined => {
  if ((branch.mask & (1 << slot)) === 0) return undefined;
  const start = branch.childrenStart + slot + 1 + 32 * countBits(branch.mask & ((1 << slot) - 1));
  return branch.raw.subarray(start, start + 32);
};

/** The hashes of all children in slot order. */
export const childHashes = (branch: TrieBranch): Hash[] => {
  const hashes: Hash[] = [];
  for (let slot = 0; slot < 16; slot++) {
    const hash = childHash(branch, slot);
    if (hash) hashes.push(bytesToHex(hash));
  }
  return hashes;
};

const readNode = (raw: Uint8Array): TrieNode => {
  const reader = new ByteReader(raw);
  const flag = i32.read(reader);
  const length = flag >> 1;
  const path: NibblePath = { bytes: raw, start: reader.offset * 2, length };
  reader.offset += (length + 1) >> 1;
  if (flag < 0 || reader.remaining <= 0) throw new TrieFault('DecodingError', 'a trie node ends too early');
  if ((flag & 1) === 0) {
    const size = i32.read(reader);
    if (size !== reader.remaining) throw new TrieFault('DecodingError', 'the length of a trie leaf is wrong');
    return { kind: 'leaf', raw, path, data: raw.subarray(reader.offset) };
  }
  const childrenStart = reader.offset;
  let mask = 0;
  for (let slot = 0; slot < 16; slot++) {
    const present = reader.byte();
    if (present > 1) throw new TrieFault('DecodingError', 'a slot of a trie branch starts with neither 0 nor 1');
    if (present === 0) continue;
    mask |= 1 << slot;
    reader.offset += 32;
  }
  if (reader.remaining !== 0) throw new TrieFault('DecodingError', 'the length of a trie branch is wrong');
  return { kind: 'branch', raw, path, mask, childrenStart };
};

/** Reads a node's bytes (protocol 04 §2.3). Throws TrieFault(DecodingError). The bytes are kept, not copied. */
export const decodeTrieNode = (raw: Uint8Array): TrieNode => {
  try {
    return readNode(raw);
  } catch (error) {
    if (error instanceof DecodeError) throw new TrieFault('DecodingError', error.message);
    throw error;
  }
};

/** The bytes of a leaf (protocol 04 §2.3). */
export const encodeTrieLeaf = (path: NibblePath, data: Uint8Array): Uint8Array => {
  const writer = new ByteWriter(data.length + path.length + 8);
  i32.write(writer, 2 * path.length);
  writer.bytes(packPath(path));
  i32.write(writer, data.length);
  writer.bytes(data);
  return writer.finish();
};

/** The bytes of a branch over 16 slots, each empty or the 32 raw bytes of a child's hash (protocol 04 §2.3). */
export const encodeTrieBranch = (path: NibblePath, children: readonly (Uint8Array | undefined)[]): Uint8Array => {
  const count = children.reduce((sum, child) => (child ? sum + 1 : sum), 0);
  const writer = new ByteWriter(19 + path.length + 32 * count);
  i32.write(writer, 2 * path.length + 1);
  writer.bytes(packPath(path));
  for (let slot = 0; slot < 16; slot++) {
    const hash = children[slot];
    writer.byte(hash ? 1 : 0);
    if (hash) writer.bytes(hash);
  }
  return writer.finish();
};
