import { type BlockDag, type DagNode, maxForkDepth } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';

export interface PrunableOptions {
  readonly dag: BlockDag;
  readonly group: number;
  /** Intra-group heights whose states are kept, on every branch. */
  readonly horizon: number;
  /** Intra-group blocks whose states are in use: best dependency, head of the projection. */
  readonly inUse: readonly Hash[];
}

/** A parent of the lowest block that the fork depth still lets in is so far below the top (protocol 03 §6.4). */
const lowestParent = maxForkDepth + 1;

/** The nodes that stand so far below the highest tip, on every branch: all that stand higher descend from them. */
const nodesBelow = (dag: BlockDag, chain: { readonly from: number; readonly to: number }, depth: number) =>
  dag.nodesAt(chain, Math.max(0, dag.maxHeight(chain) - depth));

/** Height of the youngest canonical ancestor, or of the block itself. */
const canonicalHeight = (dag: BlockDag, node: DagNode): number => {
  let walk = node;
  while (!dag.isCanonical(walk.hash)) walk = walk.parent!;
  return walk.height;
};

/**
 * The highest intra-group height up to which states may be pruned; negative: none. What is kept descends from the
 * canonical block of that height (docs/data-layout.md has the proof):
 *
 * - every state of the last `horizon` heights, on whatever branch;
 * - every state that a block may start from which the fork depth still lets in: on the chains to other groups the state
 *   of a block is that of its parent or a later one (flow check, protocol 03 §5.1);
 * - the states in use.
 */
export const prunableHeight = ({ dag, group, horizon, inUse }: PrunableOptions): number => {
  const { groups } = dag.settings;
  const intra = { from: group, to: group };
  const top = dag.maxHeight(intra) - horizon;
  if (top <= 0) return -1;
  const anchors: DagNode[] = [
    ...nodesBelow(dag, intra, horizon),
    dag.node(dag.bestTip(intra)),
    ...inUse.map((hash) => dag.node(hash)),
  ];
  for (let to = 0; to < groups; to++) {
    if (to === group) continue;
    const lowest = nodesBelow(dag, { from: group, to }, Math.min(horizon, lowestParent));
    anchors.push(...lowest.map((node) => node.deps[groups - 1 + group]!));
  }
  return Math.min(top, ...anchors.map((node) => canonicalHeight(dag, node)));
};
