/**
 * A run of nibbles inside packed bytes, two per byte, the earlier one in the high half (protocol 04 §2.2). A view
 * without copies.
 */
export interface NibblePath {
  readonly bytes: Uint8Array;
  /** Index of the first nibble in `bytes`. */
  readonly start: number;
  /** Number of nibbles. */
  readonly length: number;
}

export const nibbleAt = (bytes: Uint8Array, index: number): number => {
  const byte = bytes[index >> 1]!;
  return (index & 1) === 0 ? byte >> 4 : byte & 15;
};

export const pathNibble = (path: NibblePath, index: number): number => nibbleAt(path.bytes, path.start + index);

/** The nibbles `from` (included) to `to` (excluded). */
export const subPath = (path: NibblePath, from: number, to: number = path.length): NibblePath => ({
  bytes: path.bytes,
  start: path.start + from,
  length: to - from,
});

/** How many nibbles of `path` are also the nibbles of `key` from index `depth` on. */
export const commonNibbles = (path: NibblePath, key: Uint8Array, depth: number): number => {
  const limit = Math.min(path.length, key.length * 2 - depth);
  let i = 0;
  while (i < limit && nibbleAt(path.bytes, path.start + i) === nibbleAt(key, depth + i)) i++;
  return i;
};

/** Packs a path from its first nibble on; the low half of the last byte is 0 when the number is odd (protocol 04 §2.3). */
export const packPath = (path: NibblePath): Uint8Array => {
  const size = (path.length + 1) >> 1;
  if ((path.start & 1) === 0) {
    const first = path.start >> 1;
    const packed = path.bytes.slice(first, first + size);
    if ((path.length & 1) === 1) packed[size - 1]! &= 0xf0;
    return packed;
  }
  const packed = new Uint8Array(size);
  for (let i = 0; i < path.length; i++) packed[i >> 1]! |= pathNibble(path, i) << ((i & 1) === 0 ? 4 : 0);
  return packed;
};

/** `head`, one nibble, `tail`: the path of a branch joined with that of its only child (protocol 04 §2.6). */
export const joinPaths = (head: NibblePath, nibble: number, tail: NibblePath): NibblePath => {
  const length = head.length + 1 + tail.length;
  const bytes = new Uint8Array((length + 1) >> 1);
  const put = (index: number, value: number): void => {
    bytes[index >> 1]! |= value << ((index & 1) === 0 ? 4 : 0);
  };
  for (let i = 0; i < head.length; i++) put(i, pathNibble(head, i));
  put(head.length, nibble);
  for (let i = 0; i < tail.length; i++) put(head.length + 1 + i, pathNibble(tail, i));
  return { bytes, start: 0, length };
};

/** A whole key: its first `depth` nibbles from `sample`, the rest from `path`. Throws RangeError if it ends inside a byte. */
export const keyFromPath = (sample: Uint8Array, depth: number, path: NibblePath): Uint8Array => {
  const length = depth + path.length;
  if ((length & 1) === 1) throw new RangeError(`a trie key of ${length} nibbles does not end at a byte`);
  const key = new Uint8Array(length >> 1);
  key.set(sample.subarray(0, (depth + 1) >> 1));
  if ((depth & 1) === 1) key[depth >> 1]! &= 0xf0;
  for (let i = 0; i < path.length; i++) {
    const index = depth + i;
    key[index >> 1]! |= pathNibble(path, i) << ((index & 1) === 0 ? 4 : 0);
  }
  return key;
};

/** Ascending unsigned byte order, which is nibble order (protocol 04 §2.7). */
export const compareKeys = (a: Uint8Array, b: Uint8Array): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
};
