import { type Block } from '../block/index.js';
import { groupOfReference, type Hash, type OutputReference, referenceId } from '../primitives/index.js';
import { type AssetOutput } from '../transaction/index.js';
import { blockEffects, type BlockEffects } from './block-effects.js';
import { type ContractChanges } from './contract-changes.js';
import { contractStateKey, contractStateValue } from './contract-records.js';
import { outputStateKey, outputStateValue } from './output-state.js';
import { compareKeys } from './trie/nibble-path.js';
import { TrieFault } from './trie/trie-fault.js';
import { type TrieChange, type TrieUpdate, trieUpdate } from './trie/trie-update.js';
import { withAllMisses } from './state-miss.js';
import { type TrieNodesInMemory } from './trie-node-source.js';
import { type WorldState } from './world-state.js';

/** An asset output as it is stored: the lock time is raised to the timestamp of its block (protocol 04 §3.7). */
export interface StoredOutput {
  readonly reference: OutputReference;
  readonly output: AssetOutput;
}

/**
 * Net changes of a group's output state by a list of blocks. An output that is created and spent within the list is in
 * neither part. A reference that is spent and created again is in both.
 */
export interface StateChanges {
  readonly removed: readonly OutputReference[];
  readonly added: readonly StoredOutput[];
}

/** Ascending timestamps; equal ones keep the order of the list (protocol 03 §8.5 step 2, §8.8 rule b). */
const inOrderOfTime = (blocks: readonly BlockEffects[]): BlockEffects[] =>
  [...blocks].sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));

const asStored = (output: AssetOutput, timestamp: bigint): AssetOutput =>
  output.lockTime < timestamp ? { ...output, lockTime: timestamp } : output;

/** `stateChanges` over effects, for callers without whole blocks. */
export const changesOfEffects = (
  group: number,
  groups: number,
  blocks: readonly BlockEffects[],
  exists: (reference: OutputReference) => boolean,
): StateChanges => {
  const removed = new Map<string, OutputReference>();
  const added = new Map<string, StoredOutput>();
  const remove = (reference: OutputReference): void => {
    const id = referenceId(reference);
    if (added.delete(id)) return;
    if (removed.has(id) || !exists(reference)) {
      throw new TrieFault('KeyNotFound', `output ${id} is spent and not in the state of group ${group}`);
    }
    removed.set(id, reference);
  };
  for (const { chainIndex, timestamp, transactions } of inOrderOfTime(blocks)) {
    for (const { inputs, outputs } of transactions) {
      if (chainIndex.from === group) inputs.forEach(remove);
      for (const { reference, output } of outputs) {
        if (output.kind !== 'asset' || groupOfReference(reference, groups) !== group) continue;
        added.set(referenceId(reference), { reference, output: asStored(output, timestamp) });
      }
    }
  }
  return { removed: [...removed.values()], added: [...added.values()] };
};

/**
 * The effect of an intra-group block on the output state of its group (protocol 03 §8.5, 04 §3.7).
 * @param blocks the blocks for the state view (03 §8.2) in that order, then the intra-group block
 * @param exists whether the base state has the reference; may throw StateMiss
 * Throws TrieFault(KeyNotFound) when a spent reference is missing: an internal error, never a skip (03 §8.8 rule c).
 */
export const stateChanges = (
  group: number,
  groups: number,
  blocks: readonly Block[],
  exists: (reference: OutputReference) => boolean,
): StateChanges => changesOfEffects(group, groups, blocks.map(blockEffects), exists);

/** The keys that `stateChanges` and `applyChanges` will touch: load their paths first, in few round trips. */
export const touchedStateKeys = (group: number, groups: number, blocks: readonly Block[]): Uint8Array[] => {
  const references = blocks
    .map(blockEffects)
    .flatMap(({ chainIndex, transactions }) =>
      transactions.flatMap(({ inputs, outputs }) => [
        ...(chainIndex.from === group ? inputs : []),
        ...outputs.map((created) => created.reference).filter((ref) => groupOfReference(ref, groups) === group),
      ]),
    );
  return references.map(outputStateKey);
};

/** The keys of both tries that contract changes touch: load their paths first, in few round trips. */
export const touchedContractKeys = (
  contracts: ContractChanges,
): { readonly outputKeys: Uint8Array[]; readonly contractKeys: Uint8Array[] } => ({
  outputKeys: [...contracts.outputs.values()].map(({ reference }) => outputStateKey(reference)),
  contractKeys: [...contracts.records.keys()].map(contractStateKey),
});

export interface AppliedChanges {
  readonly state: WorldState;
  /** Of both tries. */
  readonly added: ReadonlyMap<Hash, Uint8Array>;
  readonly replaced: readonly Hash[];
}

const inKeyOrder = (changes: Iterable<TrieChange>): TrieChange[] =>
  [...changes].sort((a, b) => compareKeys(a.key, b.key));

/** Net changes of the output trie: asset outputs of the blocks and contract outputs of their scripts. */
const outputChanges = (changes: StateChanges, contracts: ContractChanges | undefined): TrieChange[] => {
  const byId = new Map<string, TrieChange>();
  for (const reference of changes.removed) {
    byId.set(referenceId(reference), { key: outputStateKey(reference), value: undefined });
  }
  const stored = [...changes.added, ...(contracts ? contracts.outputs.values() : [])];
  for (const { reference, output } of stored) {
    const value = output && outputStateValue(output);
    byId.set(referenceId(reference), { key: outputStateKey(reference), value });
  }
  return inKeyOrder(byId.values());
};

const contractTrieChanges = (contracts: ContractChanges): TrieChange[] =>
  inKeyOrder(
    [...contracts.records].map(([id, record]) => ({
      key: contractStateKey(id),
      value: record && contractStateValue(record),
    })),
  );

/**
 * The world state after the changes, with the nodes that it adds and replaces.
 * @param contracts changes by the scripts of the block (`ContractLayer.changes`): records go into the contract trie,
 *   contract outputs into the output trie.
 * @throws StateMiss with the missing nodes of both tries; TrieFault
 */
export const applyChanges = (
  nodes: TrieNodesInMemory,
  state: WorldState,
  changes: StateChanges,
  contracts?: ContractChanges,
): AppliedChanges => {
  const updates = withAllMisses([
    () => trieUpdate(nodes, state.outputRoot, outputChanges(changes, contracts)),
    () => trieUpdate(nodes, state.contractRoot, contracts ? contractTrieChanges(contracts) : []),
  ]);
  const [outputs, records] = updates as [TrieUpdate, TrieUpdate];
  const added = records.added.size === 0 ? outputs.added : new Map([...outputs.added, ...records.added]);
  return {
    state: { ...state, outputRoot: outputs.root, contractRoot: records.root },
    added,
    replaced: [...outputs.replaced, ...records.replaced].filter((hash) => !added.has(hash)),
  };
};
