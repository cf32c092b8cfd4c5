import { isAncestorNode } from './ancestry.js';
import { type DagNode, groupsOf, inDep, isGenesisNode, outDep } from './node.js';

/** `outTip(b,t)`: the newest block of chain (from(b),t) that b includes, b itself on its own chain (protocol 03 §4.2). */
export const outTipNode = (node: DagNode, to: number): DagNode => (to === node.to ? node : outDep(node, to));

/** `outTips(b)` (protocol 03 §4.2). */
export const outTipNodes = (node: DagNode): DagNode[] => {
  return Array.from({ length: groupsOf(node) }, (_, to) => outTipNode(node, to));
};

/** `groupTip(b,k)`; of a genesis block the genesis block of (k,k), whatever its own chain (protocol 03 §4.2). */
export const groupTipNode = (node: DagNode, group: number): DagNode => {
  if (group !== node.from) return inDep(node, group);
  return isGenesisNode(node) ? outDep(node, group) : node;
};

/** `intraDepOf(b,k)` (protocol 03 §4.2). */
export const intraDepNode = (node: DagNode, group: number): DagNode =>
  group === node.from ? outDep(node, group) : inDep(node, group);

/** `inTip(d,g)`: the newest block of chain (k,g) that the block d of (k,k), k != g, includes (protocol 03 §4.2). */
export const inTipNode = (node: DagNode, group: number): DagNode => outDep(node, group);

/** `extends(x,y)` for two blocks with the same fromGroup (protocol 03 §4.3). */
export const extendsNode = (x: DagNode, y: DagNode): boolean =>
  isAncestorNode(y, x.to === y.to ? x : outTipNode(x, y.to));
