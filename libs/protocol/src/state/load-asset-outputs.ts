import { type Hash, type OutputReference } from '../primitives/index.js';
import { type AssetOutput } from '../transaction/index.js';
import { outputStateKey, readOutput } from './output-state.js';
import { LoadedNodes } from './trie/loaded-nodes.js';
import { loadPaths } from './trie/load-paths.js';
import { type TrieNodeStore } from './trie-node-source.js';

/** The asset outputs under references in a world state, in the same order. Throws an error that names a missing one. */
export const loadAssetOutputs = async (
  store: TrieNodeStore,
  outputRoot: Hash,
  references: readonly OutputReference[],
): Promise<{ readonly reference: OutputReference; readonly output: AssetOutput }[]> => {
  const nodes = new LoadedNodes();
  await loadPaths(store, nodes, outputRoot, references.map(outputStateKey));
  return references.map((reference) => {
    const output = readOutput(nodes, outputRoot, reference);
    if (output?.kind !== 'asset') throw new Error(`no asset output ${reference.key} in the state ${outputRoot}`);
    return { reference, output };
  });
};
