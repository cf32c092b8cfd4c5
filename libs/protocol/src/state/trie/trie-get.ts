import { type Hash } from '../../primitives/index.js';
import { StateMiss } from '../state-miss.js';
import { type TrieNodesInMemory } from '../trie-node-source.js';
import { commonNibbles, nibbleAt } from './nibble-path.js';
import { childHash, decodeTrieNode, type TrieNode } from './trie-node.js';

/** The decoded node, from the memory's decoded form if it has one. */
export const decodedNode = (nodes: TrieNodesInMemory, hash: Hash): TrieNode | undefined => {
  if (nodes.node) return nodes.node(hash);
  const raw = nodes.get(hash);
  return raw && decodeTrieNode(raw);
};

/** Where a walk down to a key ends: at a value, at nothing, or at a node that is not in memory. */
export type TrieWalk =
  | { readonly kind: 'value'; readonly value: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'miss'; readonly hash: Hash; readonly depth: number };

/** Walks from node `hash`, which lies `depth` nibbles down the key (protocol 04 §2.4). */
export const walkToKey = (nodes: TrieNodesInMemory, hash: Hash, key: Uint8Array, depth: number): TrieWalk => {
  for (;;) {
    const node = decodedNode(nodes, hash);
    if (!node) return { kind: 'miss', hash, depth };
    const common = commonNibbles(node.path, key, depth);
    if (node.kind === 'leaf') {
      const found = common === node.path.length && depth + common === key.length * 2;
      return found ? { kind: 'value', value: node.data } : { kind: 'absent' };
    }
    if (common < node.path.length || depth + common >= key.length * 2) return { kind: 'absent' };
    const child = childHash(node, nibbleAt(key, depth + common));
    if (!child) return { kind: 'absent' };
    hash = child;
    depth += common + 1;
  }
};

/** The value under a key; undefined when the key is absent (protocol 04 §2.4). Throws StateMiss, TrieFault. */
export const trieGet = (nodes: TrieNodesInMemory, root: Hash, key: Uint8Array): Uint8Array | undefined => {
  const walk = walkToKey(nodes, root, key, 0);
  switch (walk.kind) {
    case 'value':
      return walk.value;
    case 'absent':
      return undefined;
    case 'miss':
      throw new StateMiss([walk.hash]);
  }
};
