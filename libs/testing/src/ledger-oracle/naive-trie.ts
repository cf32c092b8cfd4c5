import { blake2b } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';

/** A node and all below it, in memory. Paths and keys are nibbles as hexadecimal digits (protocol 04 §2.2). */
export type TrieNode = TrieLeaf | TrieBranch;

interface Hashed {
  /** Cached hash of this node. */
  hash?: Uint8Array;
}

interface TrieLeaf extends Hashed {
  readonly path: string;
  readonly data: Uint8Array;
}

interface TrieBranch extends Hashed {
  readonly path: string;
  /** 16 of them. */
  readonly children: readonly (TrieNode | undefined)[];
}

/** A copy of the node with another path. */
const moved = (node: TrieNode, path: string): TrieNode =>
  'data' in node ? { path, data: node.data } : { path, children: node.children };

/** The compact signed integer of a length (protocol 04 §1), up to 2^29. */
const lengthBytes = (length: number): Uint8Array => {
  if (length < 2 ** 5) return Uint8Array.of(length);
  if (length < 2 ** 13) return Uint8Array.of(0x40 | (length >> 8), length & 0xff);
  return Uint8Array.of(0x80 | (length >> 24), (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff);
};

/** The bytes of a node (protocol 04 §2.3). */
export const nodeBytes = (node: TrieNode): Uint8Array => {
  const flag = lengthBytes(2 * node.path.length + ('data' in node ? 0 : 1));
  const path = hexToBytes(node.path.length % 2 === 0 ? node.path : `${node.path}0`);
  const rest =
    'data' in node
      ? [lengthBytes(node.data.length), node.data]
      : node.children.flatMap((child) => (child ? [Uint8Array.of(1), nodeHash(child)] : [Uint8Array.of(0)]));
  return Uint8Array.from(Buffer.concat([flag, path, ...rest]));
};

/** The hash of a node; that of the root names the trie. */
const nodeHash = (node: TrieNode): Uint8Array => (node.hash ??= blake2b(nodeBytes(node)));

export const rootHash = (root: TrieNode): string => bytesToHex(nodeHash(root));

const commonLength = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
};

const slotOf = (nibble: string): number => parseInt(nibble, 16);

const withSlot = ({ path, children }: TrieBranch, slot: number, child: TrieNode | undefined): TrieBranch => ({
  path,
  children: children.map((old, i) => (i === slot ? child : old)),
});

/** The value of a key (protocol 04 §2.4). */
export const trieGet = (node: TrieNode | undefined, key: string): Uint8Array | undefined => {
  if (!node || !key.startsWith(node.path)) return undefined;
  if ('data' in node) return key === node.path ? node.data : undefined;
  const rest = key.slice(node.path.length);
  return trieGet(node.children[slotOf(rest[0]!)], rest.slice(1));
};

/** The trie with a value stored under a key; the given trie is unchanged (protocol 04 §2.5). */
export const triePut = (node: TrieNode, key: string, data: Uint8Array): TrieNode => {
  const common = commonLength(node.path, key);
  if (common < node.path.length) {
    const empty: TrieBranch = { path: key.slice(0, common), children: Array.from({ length: 16 }, () => undefined) };
    const old = moved(node, node.path.slice(common + 1));
    const leaf = { path: key.slice(common + 1), data };
    return withSlot(withSlot(empty, slotOf(node.path[common]!), old), slotOf(key[common]!), leaf);
  }
  if ('data' in node) return { path: node.path, data };
  const rest = key.slice(common + 1);
  const slot = slotOf(key[common]!);
  const child = node.children[slot];
  return withSlot(node, slot, child ? triePut(child, rest, data) : { path: rest, data });
};

/** The trie without a key that is in it; undefined when nothing is left (protocol 04 §2.6). */
export const trieRemove = (node: TrieNode | undefined, key: string): TrieNode | undefined => {
  if (!node || !key.startsWith(node.path)) throw new Error(`the trie has no key ending in ${key}`);
  if ('data' in node) return undefined;
  const slot = slotOf(key[node.path.length]!);
  const child = trieRemove(node.children[slot], key.slice(node.path.length + 1));
  const changed = withSlot(node, slot, child);
  const left = changed.children.flatMap((other, i) => (other ? [{ other, digit: i.toString(16) }] : []));
  const [only] = left;
  if (left.length > 1 || !only) return changed;
  return moved(only.other, node.path + only.digit + only.other.path);
};

/** All entries in ascending order of their keys. */
export const trieEntries = (node: TrieNode, before = ''): { readonly key: string; readonly data: Uint8Array }[] => {
  const path = before + node.path;
  if ('data' in node) return [{ key: path, data: node.data }];
  return node.children.flatMap((child, i) => (child ? trieEntries(child, path + i.toString(16)) : []));
};
