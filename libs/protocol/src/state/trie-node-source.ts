import { type Hash } from '../primitives/index.js';
import { type TrieNode } from './trie/trie-node.js';

/** Synchronous reads of trie nodes that are already in memory; undefined where one is not. */
export interface TrieNodesInMemory {
  get(hash: Hash): Uint8Array | undefined;
  /** The same node decoded, if the memory holds it decoded (as LoadedNodes does). */
  node?(hash: Hash): TrieNode | undefined;
}

/** Batched asynchronous reads of trie nodes: one round trip per call, for any number of hashes. */
export interface TrieNodeStore {
  /** The bytes of each node that exists; absent ones are left out. */
  loadNodes(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>>;
}
