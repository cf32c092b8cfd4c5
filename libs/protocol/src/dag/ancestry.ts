import { ancestorAt, type DagNode, sameBlock, UnrelatedBlocks, workDownTo } from './node.js';

/** `anc(a,b)` for two blocks of one chain: a is b or an ancestor of b along parents (protocol 03 §4.3, §7.8). */
export const isAncestorNode = (a: DagNode, b: DagNode): boolean =>
  sameBlock(a, b) || (a.height < b.height && sameBlock(ancestorAt(b, a.height), a));

/** The newest block that is `a` or an ancestor of it, and `b` or an ancestor of it; both are of one chain. */
export const commonAncestor = (a: DagNode, b: DagNode): DagNode => {
  let common = a;
  while (!isAncestorNode(common, b)) common = common.parent!;
  return common;
};

/** The blocks after `older` up to `newer`, ascending (protocol 03 §4.3). A fault if they are not on one branch. */
export const nodesBetween = (newer: DagNode, older: DagNode): DagNode[] => {
  const nodes: DagNode[] = [];
  let walk = newer;
  while (walk.height > older.height) {
    nodes.push(walk);
    walk = walk.parent!;
  }
  if (!sameBlock(walk, older)) throw new UnrelatedBlocks(newer.hash, older.hash);
  return nodes.reverse();
};

/** Sum of the work of `nodesBetween(newer, older)`, without the walk. A fault if they are not on one branch. */
export const workBetween = (newer: DagNode, older: DagNode): bigint => {
  const { node, work } = workDownTo(newer, older.height);
  if (!sameBlock(node, older)) throw new UnrelatedBlocks(newer.hash, older.hash);
  return work;
};
