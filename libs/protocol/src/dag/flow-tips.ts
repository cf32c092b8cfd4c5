import { workBetween } from './ancestry.js';
import { type DagNode, groupOfInSlot, groupsOf, sameBlock } from './node.js';
import { groupTipNode, outTipNode, outTipNodes } from './tips.js';

/**
 * View of a group on the DAG: one intra-group block of every other group, one block of each of its own chains (protocol
 * 03 §4.4).
 */
export interface FlowTips {
  /** G-1 blocks in ascending order of their group. */
  readonly ins: readonly DagNode[];
  /** G blocks, of chains (g,0) .. (g,G-1). */
  readonly outs: readonly DagNode[];
}

/** The dependencies of a block seen as flow tips (protocol 03 §4.4). */
export const flowTipsOfDeps = (deps: readonly DagNode[]): FlowTips => {
  const inCount = (deps.length - 1) / 2;
  return { ins: deps.slice(0, inCount), outs: deps.slice(inCount) };
};

export const depsOfFlowTips = (tips: FlowTips): DagNode[] => [...tips.ins, ...tips.outs];

/** The flow tips of a block for a group; the block is intra-group or of that group (protocol 03 §4.4). */
export const flowTipsOfNode = (node: DagNode, group: number): FlowTips => {
  const own = groupTipNode(node, group);
  const ins = Array.from({ length: groupsOf(own) - 1 }, (_, i) => groupTipNode(node, groupOfInSlot(i, group)));
  return { ins, outs: outTipNodes(own) };
};

/** Every pair of (newer, older) blocks of one chain over which `flowDiff` is taken, in its order (protocol 03 §4.4). */
const eachPair = (newer: FlowTips, older: FlowTips, visit: (newer: DagNode, older: DagNode) => void): void => {
  const groups = newer.outs.length;
  for (let i = 0; i < newer.ins.length; i++) {
    const newIn = newer.ins[i]!;
    const oldIn = older.ins[i]!;
    if (sameBlock(newIn, oldIn)) continue;
    for (let to = 0; to < groups; to++) visit(outTipNode(newIn, to), outTipNode(oldIn, to));
  }
  for (let to = 0; to < groups; to++) visit(newer.outs[to]!, older.outs[to]!);
};

/**
 * Sum of the work of the blocks that `newer` includes and `older` does not, both of one group and `newer` extending
 * `older` (protocol 03 §4.4, §7.2).
 */
export const flowDiffWork = (newer: FlowTips, older: FlowTips): bigint => {
  let work = 0n;
  eachPair(newer, older, (a, b) => {
    work += workBetween(a, b);
  });
  return work;
};
