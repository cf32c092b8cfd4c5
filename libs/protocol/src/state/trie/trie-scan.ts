import { type Hash } from '../../primitives/index.js';
import { type TrieNodeStore } from '../trie-node-source.js';
import { loadMissing } from './load-paths.js';
import { LoadedNodes } from './loaded-nodes.js';
import { nibbleAt, type NibblePath, pathNibble } from './nibble-path.js';
import { childHash, type TrieNode } from './trie-node.js';

export interface TrieEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A pending subtree: the hash of its root and the nibbles of its path, one per byte. */
interface Subtree {
  readonly hash: Hash;
  readonly passed: readonly number[];
}
type Found = TrieEntry | Subtree;

/** Nodes read in one round trip: enough to make round trips rare, few enough to stop early without much waste. */
const batchSize = 256;

const nibblesOf = (path: NibblePath): number[] => Array.from({ length: path.length }, (_, i) => pathNibble(path, i));

const keyOf = (nibbles: readonly number[]): Uint8Array => {
  const key = new Uint8Array(nibbles.length >> 1);
  for (let i = 0; i < nibbles.length; i++) key[i >> 1]! |= nibbles[i]! << ((i & 1) === 0 ? 4 : 0);
  return key;
};

/** The parts of a node under the prefix: its entry, or the children that match the rest of the prefix. */
const openNode = (node: TrieNode, passed: readonly number[], prefix: Uint8Array): Found[] => {
  const here = [...passed, ...nibblesOf(node.path)];
  const prefixLength = prefix.length * 2;
  for (let i = passed.length; i < Math.min(here.length, prefixLength); i++) {
    if (here[i] !== nibbleAt(prefix, i)) return [];
  }
  if (node.kind === 'leaf') return here.length < prefixLength ? [] : [{ key: keyOf(here), value: node.data }];
  const only = here.length < prefixLength ? nibbleAt(prefix, here.length) : undefined;
  const children: Found[] = [];
  for (let slot = 0; slot < 16; slot++) {
    const hash = only === undefined || only === slot ? childHash(node, slot) : undefined;
    if (hash) children.push({ hash, passed: [...here, slot] });
  }
  return children;
};

/**
 * Entries whose key starts with `prefix` and that `accept` takes, in ascending key order, at most `max` (protocol 04
 * §2.7); all nodes of a step are loaded in one round trip. An empty prefix reads the whole trie.
 * @param nodes memory to use and to fill; large scans use their own, so that they do not displace a cache
 */
export const trieScan = async (
  store: TrieNodeStore,
  root: Hash,
  prefix: Uint8Array,
  max: number,
  accept: (key: Uint8Array, value: Uint8Array) => boolean = () => true,
  nodes: LoadedNodes = new LoadedNodes(),
): Promise<TrieEntry[]> => {
  const accepted: TrieEntry[] = [];
  // Last first, so that the next one is popped off the end.
  const waiting: Found[] = [{ hash: root, passed: [] }];
  while (accepted.length < max) {
    const next = waiting.pop();
    if (!next) break;
    if ('key' in next) {
      if (accept(next.key, next.value)) accepted.push(next);
      continue;
    }
    let node = nodes.node(next.hash);
    if (!node) {
      const batch = waiting.slice(-batchSize).flatMap((found) => ('hash' in found ? [found.hash] : []));
      await loadMissing(store, nodes, [next.hash, ...batch]);
      node = nodes.node(next.hash)!;
    }
    for (const found of openNode(node, next.passed, prefix).reverse()) waiting.push(found);
  }
  return accepted;
};
