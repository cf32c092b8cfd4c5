import { type Block, genesisBlocks } from '@shardnode/protocol/block';
import { blocksForStateView } from '@shardnode/protocol/dag';
import { type Hash, isIntraGroup } from '@shardnode/protocol/primitives';
import {
  applyChanges,
  changesOfEffects,
  blockEffects,
  emptyWorldState,
  genesisWorldState,
  hasOutput,
  stateChanges,
  stateHash,
} from '@shardnode/protocol/state';
import { transactionId } from '@shardnode/protocol/transaction';
import { MemoryNode } from '@shardnode/testing/memory-node';
import { blockOf, type RecordedBlock } from '@shardnode/testing/replay';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type BlockCommit, type ProjectionMove, type StateCommit } from '../../src/store/index.js';

/** What group-nodes commit while they import a history, worked out by a node in memory: one list a group. */
export interface HistoryCommits {
  readonly node: MemoryNode;
  readonly groups: readonly (readonly BlockCommit[])[];
}

const genesisState = (settings: NetworkSettings, block: Block): StateCommit => {
  const group = block.header.chainIndex.from;
  const { state, nodes } = genesisWorldState(settings, group);
  const { added } = changesOfEffects(group, settings.groups, [blockEffects(block)], () => false);
  const hash = stateHash(state);
  const { outputRoot, contractRoot } = state;
  return { outputRoot, contractRoot, stateHash: hash, addedNodes: nodes, replacedNodes: [], removed: [], added };
};

const commitOf = (
  group: number,
  block: Block,
  placed: Pick<BlockCommit, 'height' | 'weight' | 'orders' | 'tips'>,
  worldState: StateCommit | undefined,
  projection: ProjectionMove | undefined,
): BlockCommit => {
  const { from, to } = block.header.chainIndex;
  const copied = from === to && group === (from + 1) % 4;
  return {
    header: block.header,
    ...placed,
    ...((from === group || to === group || copied) && { body: block.raw }),
    ...(from === group && { transactionIds: block.transactions.map((tx) => transactionId(tx.unsigned)) }),
    ...(worldState && from === group && { worldState }),
    ...(projection && { projection }),
  };
};

/** One transaction for all chains (protocol 04 §9.3). */
export const genesisCommits = (settings: NetworkSettings, group: number): BlockCommit[] =>
  genesisBlocks(settings).map((block) => {
    const { chainIndex, hash } = block.header;
    const own = isIntraGroup(chainIndex) && chainIndex.from === group;
    const placed = { height: 0, weight: 0n, orders: [{ height: 0, hashes: [hash] }], tips: [hash] };
    return commitOf(
      group,
      block,
      placed,
      own ? genesisState(settings, block) : undefined,
      own ? { undo: [], apply: [hash] } : undefined,
    );
  });

const stateAfter = (node: MemoryNode, block: Block): StateCommit => {
  const { groups } = node.settings;
  const group = block.header.chainIndex.from;
  const before = node.worldState(block.header.blockDeps[groups - 1 + group]!) ?? emptyWorldState().state;
  const pending = blocksForStateView(node.dag, group, block.header.blockDeps).map((hash) => node.block(hash)!);
  const changes = stateChanges(group, groups, [...pending, block], (reference) =>
    hasOutput(node.nodes, before.outputRoot, reference),
  );
  const { state, added, replaced } = applyChanges(node.nodes, before, changes);
  const { outputRoot, contractRoot } = state;
  return {
    outputRoot,
    contractRoot,
    stateHash: stateHash(state),
    addedNodes: added,
    replacedNodes: replaced,
    ...changes,
  };
};

/** From one block of an intra-group chain to another, over their common ancestor. */
export const moveBetween = (node: MemoryNode, from: Hash, to: Hash): ProjectionMove | undefined => {
  if (from === to) return undefined;
  const { dag } = node;
  const undo: Hash[] = [];
  const apply: Hash[] = [];
  const parent = (hash: Hash): Hash => {
    const { blockDeps, chainIndex } = dag.header(hash);
    return blockDeps[node.settings.groups - 1 + chainIndex.from]!;
  };
  let [a, b] = [from, to];
  while (a !== b) {
    if (dag.height(a) >= dag.height(b)) {
      undo.push(a);
      a = parent(a);
    } else {
      apply.unshift(b);
      b = parent(b);
    }
  }
  return { undo, apply };
};

/** Signatures are taken as good: the history is known to be. */
export const historyCommits = (settings: NetworkSettings, blocks: readonly RecordedBlock[]): HistoryCommits => {
  const node = new MemoryNode(settings, { now: () => 1n << 60n, verifySignature: () => true });
  const all = Array.from({ length: settings.groups }, (_, group) => group);
  const lists = all.map((group) => genesisCommits(settings, group));
  const head = (group: number): Hash => node.bestDependencies(group)[settings.groups - 1 + group]!;
  for (const recorded of blocks) {
    const block = blockOf(recorded.raw, settings);
    const { header } = block;
    const state = isIntraGroup(header.chainIndex) ? stateAfter(node, block) : undefined;
    const { height, weight, lists: orders } = node.dag.plan(header);
    const before = all.map(head);
    const outcome = node.importBlock(block.raw);
    if (outcome.kind !== 'added') throw new Error(`block ${header.hash}: ${JSON.stringify(outcome)}`);
    const tips = node.dag.tips(header.chainIndex);
    for (const group of all) {
      const move = moveBetween(node, before[group]!, head(group));
      lists[group]!.push(commitOf(group, block, { height, weight, orders, tips }, state, move));
    }
  }
  return { node, groups: lists };
};
