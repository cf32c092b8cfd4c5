import { bytesToHex, ByteReader, ByteWriter, DecodeError, i32 } from '../../encoding/index.js';
import { type Hash } from '../../primitives/index.js';
import { type NibblePath, packPath } from './nibble-path.js';
import { TrieFault } from './trie-fault.js';

/** A stored node, parsed once: the positions of its parts in its bytes (protocol 04 §2.3). */
export type TrieNode = TrieLeaf | TrieBranch;

interface TrieLeaf {
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
  /** Cached hashes of children as text, by slot: see `childHash`. */
  known: (Hash | undefined)[] | undefined;
}

const countBits = (mask: number): number => {
  let bits = mask - ((mask >> 1) & 0x5555);
  bits = (bits & 0x3333) + ((bits >> 2) & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0f0f;
  return (bits + (bits >> 8)) & 0x1f;
};

/**
 * The hash of the child in slot 0..15; undefined when the slot is empty. Cached, because all paths through a trie share
 * their first nodes.
 */
export const childHash = (branch: TrieBranch, slot: number): Hash | undefined => {
  if ((branch.mask & (1 << slot)) === 0) return undefined;
  const known = (branch.known ??= new Array<Hash | undefined>(16).fill(undefined));
  const start = branch.childrenStart + slot + 1 + 32 * countBits(branch.mask & ((1 << slot) - 1));
  return (known[slot] ??= bytesToHex(branch.raw.subarray(start, start + 32)));
};

/** The hashes of all children in slot order. */
export const childHashes = (branch: TrieBranch): Hash[] => {
  const hashes: Hash[] = [];
  for (let slot = 0; slot < 16; slot++) {
    const hash = childHash(branch, slot);
    if (hash) hashes.push(hash);
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
  let offset = childrenStart;
  let mask = 0;
  for (let slot = 0; slot < 16; slot++) {
    const present = raw[offset];
    if (present === undefined) throw new TrieFault('DecodingError', 'a trie branch ends too early');
    if (present > 1) throw new TrieFault('DecodingError', 'a slot of a trie branch starts with neither 0 nor 1');
    mask |= present << slot;
    offset += 1 + 32 * present;
  }
  if (offset !== raw.length) throw new TrieFault('DecodingError', 'the length of a trie branch is wrong');
  return { kind: 'branch', raw, path, mask, childrenStart, known: undefined };
};

/** Reads a node's bytes (protocol 04 §2.3). Throws TrieFault(DecodingError). The bytes are retained, not copied. */
export const decodeTrieNode = (raw: Uint8Array): TrieNode => {
  try {
    return readNode(raw);
  } catch (error) {
    if (error instanceof DecodeError) throw new TrieFault('DecodingError', error.message);
    throw error;
  }
};

/** Bytes that a length takes, which is never negative (protocol 01 §2.2). */
const compactLength = (value: number): number => (value < 0x20 ? 1 : value < 0x2000 ? 2 : value < 0x2000_0000 ? 4 : 5);

/** A writer for a node of exactly this size, which begins with its flag and its path (protocol 04 §2.3). */
const nodeWriter = (flag: number, path: NibblePath, bytesBehind: number): ByteWriter => {
  const writer = new ByteWriter(compactLength(flag) + ((path.length + 1) >> 1) + bytesBehind);
  i32.write(writer, flag);
  if (path.length > 0) writer.bytes(packPath(path));
  return writer;
};

/** The bytes of a leaf (protocol 04 §2.3). */
export const encodeTrieLeaf = (path: NibblePath, data: Uint8Array): Uint8Array => {
  const writer = nodeWriter(2 * path.length, path, compactLength(data.length) + data.length);
  i32.write(writer, data.length);
  writer.bytes(data);
  return writer.finish();
};

/** Marks a child that is the same as in the previous branch. */
export const unchanged = Symbol('unchanged');

/** New content of a slot: empty, the 32 raw bytes of a child's hash, or unchanged. */
export type NewChild = Uint8Array | undefined | typeof unchanged;

/**
 * The bytes of a branch over 16 slots (protocol 04 §2.3).
 * @param before the branch that unchanged slots are copied from, neighbours at once
 */
export const encodeTrieBranch = (path: NibblePath, children: readonly NewChild[], before?: TrieBranch): Uint8Array => {
  const maskBefore = before?.mask ?? 0;
  let mask = 0;
  for (let slot = 0; slot < 16; slot++) {
    const child = children[slot];
    if (child === unchanged ? (maskBefore & (1 << slot)) !== 0 : child) mask |= 1 << slot;
  }
  const writer = nodeWriter(2 * path.length + 1, path, 16 + 32 * countBits(mask));
  // Unchanged bytes that are not copied yet: from `copyFrom` to `read` in the bytes of `before`.
  let read = before?.childrenStart ?? 0;
  let copyFrom = read;
  for (let slot = 0; slot < 16; slot++) {
    const child = children[slot];
    const end = read + ((maskBefore & (1 << slot)) === 0 ? 1 : 33);
    if (child !== unchanged) {
      if (copyFrom < read) writer.bytes(before!.raw.subarray(copyFrom, read));
      writer.byte(child ? 1 : 0);
      if (child) writer.bytes(child);
      copyFrom = end;
    }
    read = end;
  }
  if (before && copyFrom < read) writer.bytes(before.raw.subarray(copyFrom, read));
  return writer.finish();
};
