import { type Database, type DatabaseWriter } from '@shardnode/core/database';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { childHashes, decodeTrieNode, emptyWorldState, TrieFault, type TrieNodeStore } from '@shardnode/protocol/state';
import { loadMemory } from '../start/load-memory.js';
import { openGroupStore } from '../store/index.js';

export interface SweepOptions {
  /** Migrated already. */
  readonly database: Database;
  /** Holds the lock of the group: nobody else writes meanwhile. */
  readonly writer: DatabaseWriter;
  readonly group: number;
  readonly settings: NetworkSettings;
  /** Called periodically: nodes marked, or checked. */
  readonly onProgress?: (phase: 'mark' | 'sweep', nodes: number) => void;
}

export interface SweepResult {
  /** World states that can be read. */
  readonly states: number;
  /** Nodes that they need. */
  readonly kept: number;
  readonly deleted: number;
}

const nodesAtOnce = 500;

/** Marks every node that the roots reach. Throws TrieFault when one of them is not there. */
export const reachableNodes = async (
  store: TrieNodeStore,
  roots: Iterable<Hash>,
  onProgress: (nodes: number) => void = () => undefined,
): Promise<ReadonlySet<Hash>> => {
  const marked = new Set<Hash>(roots);
  const waiting = [...marked];
  while (waiting.length > 0) {
    // From the end: the pending list stays as small as the depth of the trie.
    const hashes = waiting.splice(-nodesAtOnce);
    const nodes = await store.loadNodes(hashes);
    for (const hash of hashes) {
      const raw = nodes.get(hash);
      if (!raw) throw new TrieFault('KeyNotFound', `the store has no trie node ${hash}`);
      const node = decodeTrieNode(raw);
      if (node.kind === 'leaf') continue;
      for (const child of childHashes(node)) {
        if (marked.has(child)) continue;
        marked.add(child);
        waiting.push(child);
      }
    }
    onProgress(marked.size);
  }
  return marked;
};

/**
 * Deletes the trie nodes that no readable state needs (protocol 04 §9.6 step 5): pruning leaves those that orphaned
 * blocks wrote. For a group-node that does not run. The whole set of reachable nodes is in memory meanwhile, some 150
 * bytes each. Where nothing is pruned yet, every state is readable and nothing is deleted. May be interrupted and
 * repeated.
 */
export const sweepOrphans = async (options: SweepOptions): Promise<SweepResult> => {
  const { database, writer, group, settings, onProgress } = options;
  const store = await openGroupStore({ database, writer, group, groups: settings.groups });
  const { pruning } = store;
  if (!pruning) throw new Error('this store keeps every state');
  const { dag, horizon, loaded } = await loadMemory({ settings, group, store });
  const chain = { from: group, to: group };
  const readable: Hash[] = [];
  // No state below the pruned place can be read.
  for (let height = horizon.place?.height ?? 0; height <= dag.maxHeight(chain); height++) {
    readable.push(...(await loaded(() => dag.hashesAt(chain, height).filter((hash) => horizon.isReadable(hash)))));
  }
  // The legacy trie of codes, which never changes, is a single node.
  const roots: Hash[] = [emptyWorldState().state.codeRoot];
  for (let start = 0; start < readable.length; start += nodesAtOnce) {
    const states = await store.worldStates(readable.slice(start, start + nodesAtOnce));
    for (const { outputRoot, contractRoot } of states.values()) roots.push(outputRoot, contractRoot);
  }
  const kept = await reachableNodes(store, roots, (nodes) => onProgress?.('mark', nodes));
  let deleted = 0;
  let seen = 0;
  const { place } = horizon;
  for await (const page of pruning.nodePages()) {
    const orphans = page.filter(({ hash }) => !kept.has(hash));
    seen += page.length;
    if (orphans.length > 0 && place) {
      const nodes = orphans.map(({ hash, addedSeq }) => ({ hash, before: addedSeq + 1n }));
      deleted += await pruning.prune({ nodes, finished: [], place });
    }
    onProgress?.('sweep', seen);
  }
  return { states: readable.length, kept: kept.size, deleted };
};
