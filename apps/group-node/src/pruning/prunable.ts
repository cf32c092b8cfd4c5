import { type BlockDag, type DagNode, maxForkDepth } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';

export interface PrunableOptions {
  readonly dag: BlockDag;
  readonly group: number;
  /** Intra-group heights whose states are retained, on every branch. */
  readonly horizon: number;
  /** Intra-group blocks whose states are in use: best dependency, head of the projection. */
  readonly inUse: readonly Hash[];
}

/** Depth below the top of the parent of the lowest block within the fork depth (protocol 03 §6.4). */
const lowestParent = maxForkDepth + 1;

/** The nodes at this depth below the highest tip, on every branch: all higher nodes descend from them. */
const nodesBelow = (dag: BlockDag, chain: { readonly from: number; readonly to: number }, depth: number) =>
  dag.nodesAt(chain, Math.max(0, dag.maxHeight(chain) - depth));

/** Height of the youngest canonical ancestor, or of the block itself. */
const canonicalHeight = (dag: BlockDag, node: DagNode): number => {
  let walk = node;
  while (!dag.isCanonical(walk.hash)) walk = walk.parent!;
  return walk.height;
};

/**
 * The reason that holds a state below the horizon: a branch that begins there, a state in use, or an own chain to
 * another group.
 */
export type HeldBy = 'branch' | 'in-use' | 'chain';

export interface Prunable {
  /** The highest intra-group height up to which states may be pruned; negative: none. */
  readonly height: number;
  /** Undefined: the horizon alone. */
  readonly heldBy: HeldBy | undefined;
}

/**
 * The height up to which states may be pruned, and the reason of the limit. Every retained state descends from the
 * canonical block of that height (docs/data-layout.md has the proof):
 *
 * - every state of the last `horizon` heights, on every branch;
 * - every state from which a block within the fork depth may start: on the chains to other groups the state of a block
 *   is that of its parent or a later one (flow check, protocol 03 §5.1);
 * - the states in use.
 *
 * Throws BlocksMissing: the horizon may be deeper than the window of the chains.
 */
export const prunable = ({ dag, group, horizon, inUse }: PrunableOptions): Prunable => {
  const { groups } = dag.settings;
  const intra = { from: group, to: group };
  const top = dag.maxHeight(intra) - horizon;
  if (top <= 0) return { height: -1, heldBy: undefined };
  const others = Array.from({ length: groups }, (_, to) => to).filter((to) => to !== group);
  const lowest = others.flatMap((to) => nodesBelow(dag, { from: group, to }, Math.min(horizon, lowestParent)));
  const anchors: Readonly<Record<HeldBy, readonly DagNode[]>> = {
    branch: [...nodesBelow(dag, intra, horizon), dag.node(dag.bestTip(intra))],
    'in-use': inUse.map((hash) => dag.node(hash)),
    chain: lowest.map((node) => node.dep(groups - 1 + group)),
  };
  let found: Prunable = { height: top, heldBy: undefined };
  for (const [heldBy, nodes] of Object.entries(anchors) as [HeldBy, readonly DagNode[]][]) {
    const height = Math.min(...nodes.map((node) => canonicalHeight(dag, node)));
    if (height < found.height) found = { height, heldBy };
  }
  return found;
};
