import { type Hash } from '@shardnode/protocol/primitives';
import { type NodeReads } from '../view/reads.js';
import { type StateStore } from './run-memory.js';

/** Entries of the states of a node: from memory, with the database as fallback. */
export const stateStoreOf = ({ state, store }: Pick<NodeReads, 'state' | 'store'>): StateStore => ({
  loadNodes: async (hashes) => {
    const found = new Map<Hash, Uint8Array>();
    for (const hash of hashes) {
      const node = state.memory.nodes.get(hash);
      if (node) found.set(hash, node);
    }
    const rest = hashes.filter((hash) => !found.has(hash));
    if (rest.length > 0) for (const [hash, node] of await store.loadNodes(rest)) found.set(hash, node);
    return found;
  },
  loadImmutables: (hashes) => store.loadImmutables(hashes),
});
