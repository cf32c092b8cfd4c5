import { type Hash } from '../primitives/index.js';
import { contractStateKey, type ContractRecord, recordOfStateValue } from './contract-records.js';
import { type ImmutableEntryStore } from './immutable-entries.js';
import { type LoadedImmutables, loadMissingImmutables } from './loaded-immutables.js';
import { outputStateKey } from './output-state.js';
import { type ContractPlace } from './state-miss.js';
import { loadPaths } from './trie/load-paths.js';
import { type LoadedNodes } from './trie/loaded-nodes.js';
import { trieGet } from './trie/trie-get.js';
import { type TrieNodeStore } from './trie-node-source.js';

/** Contract data in memory, and its stores. */
export interface ContractMemory {
  readonly store: TrieNodeStore & ImmutableEntryStore;
  readonly nodes: LoadedNodes;
  readonly immutables: LoadedImmutables;
}

/**
 * Loads all data of some contracts of a state into memory: records, immutable states, codes, outputs. Takes few round
 * trips for any number. Missing contracts are no error. The caller must hold memory, so that loaded data is not
 * evicted.
 */
export const loadContracts = async (
  { store, nodes, immutables }: ContractMemory,
  { contractRoot, outputRoot }: Omit<ContractPlace, 'contractId'>,
  contractIds: readonly Hash[],
): Promise<void> => {
  const keys = contractIds.map(contractStateKey);
  await loadPaths(store, nodes, contractRoot, keys);
  const records = keys.flatMap((key): ContractRecord[] => {
    const value = trieGet(nodes, contractRoot, key);
    const record = value && recordOfStateValue(value);
    return record ? [record] : [];
  });
  const states = records.map(({ immutableStateHash }) => immutableStateHash);
  await Promise.all([
    loadMissingImmutables(store, immutables, states),
    loadPaths(
      store,
      nodes,
      outputRoot,
      records.map(({ outputReference }) => outputStateKey(outputReference)),
    ),
  ]);
  const codes = states.flatMap((hash) => {
    const entry = immutables.entry(hash);
    return entry?.kind === 'state' ? [entry.state.codeHash] : [];
  });
  await loadMissingImmutables(store, immutables, codes);
};
