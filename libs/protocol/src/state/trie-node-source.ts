import { type Hash } from '../primitives/index.js';
import { type TrieNode } from './trie/trie-node.js';

/** Synchronous reads of trie nodes that are already in memory; undefined where one is not. */
export interface TrieNodesInMemory {
  get(hash: Hash): Uint8Array | undefined;
  /** The same node decoded, where the memory keeps it decoded (LoadedNodes does). */
  node?(hash: Hash): TrieNode | undefined;
}

/** Batched asynchronous reads of trie nodes: one round trip a call, whatever the number of hashes. */
export interface TrieNodeStore {
  /** The bytes of each node that exists; absent ones are left out. */
  loadNodes(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>>;
}
