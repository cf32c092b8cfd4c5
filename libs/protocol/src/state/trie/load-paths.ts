import { type Hash } from '../../primitives/index.js';
import { StateMiss } from '../state-miss.js';
import { type TrieNodeStore } from '../trie-node-source.js';
import { type LoadedNodes } from './loaded-nodes.js';
import { TrieFault } from './trie-fault.js';
import { walkToKey } from './trie-get.js';

/** Loads nodes in one round trip. Throws TrieFault(KeyNotFound) when the store lacks one (protocol 04 §2.9). */
export const loadMissing = async (store: TrieNodeStore, nodes: LoadedNodes, hashes: Iterable<Hash>): Promise<void> => {
  const wanted = [...new Set(hashes)].filter((hash) => !nodes.has(hash));
  if (wanted.length === 0) return;
  const found = await store.loadNodes(wanted);
  const absent = wanted.find((hash) => !found.has(hash));
  if (absent !== undefined) throw new TrieFault('KeyNotFound', `the store has no trie node ${absent}`);
  // Uses the requested text as key, which a branch holds anyway, to save memory.
  nodes.add(wanted.map((hash) => [hash, found.get(hash)!]));
};

/**
 * Loads the nodes on the paths to all keys into memory: one round trip per level, not per key (protocol 04 §9.2).
 * Absent keys are no error.
 */
export const loadPaths = async (
  store: TrieNodeStore,
  nodes: LoadedNodes,
  root: Hash,
  keys: Iterable<Uint8Array>,
): Promise<void> => {
  let waiting = [...keys].map((key) => ({ key, hash: root, depth: 0 }));
  for (;;) {
    const misses: typeof waiting = [];
    for (const { key, hash, depth } of waiting) {
      const walk = walkToKey(nodes, hash, key, depth);
      if (walk.kind === 'miss') misses.push({ key, hash: walk.hash, depth: walk.depth });
    }
    if (misses.length === 0) return;
    await loadMissing(
      store,
      nodes,
      misses.map((miss) => miss.hash),
    );
    waiting = misses;
  }
};

/**
 * More rounds than a trie has levels for every key of a large block: beyond it, memory evicts nodes that were just
 * loaded.
 */
const roundLimit = 10_000;

/**
 * Runs synchronous code over the state. When it meets nodes that are not in memory, loads them in one batch and runs it
 * again from the start (architecture, decision 9): `run` must have no effect before it returns. It loads only trie
 * nodes: misses of the immutable store are rethrown.
 */
export const withState = async <T>(store: TrieNodeStore, nodes: LoadedNodes, run: () => T): Promise<T> => {
  for (let round = 0; round < roundLimit; round++) {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof StateMiss) || error.immutableHashes.length > 0) throw error;
      await loadMissing(store, nodes, error.nodeHashes);
    }
  }
  throw new TrieFault('KeyNotFound', `the state is still incomplete after ${roundLimit} loads`);
};
