import { type NetworkSettings } from '../network/index.js';
import { type Hash } from '../primitives/index.js';
import { isAncestorNode, nodesBetween } from './ancestry.js';
import { firstConflict } from './conflicts.js';
import { depsOfFlowTips, flowDiffWork, type FlowTips, flowTipsOfNode } from './flow-tips.js';
import { groupOrder } from './group-order.js';
import { type DagNode, groupOfInSlot, inSlotOf, sameBlock } from './node.js';
import { type ChainReader, type SpentReader } from './readers.js';
import { extendsNode, groupTipNode, outTipNode, outTipNodes } from './tips.js';
import { compareByWeight } from './weight.js';

interface Search {
  readonly group: number;
  readonly spent: SpentReader;
  /** The flow tips so far and the weight of the blocks that they include. */
  readonly current: FlowTips;
  readonly weight: bigint;
}

const includes = ({ ins, outs }: FlowTips, node: DagNode): boolean =>
  ins.some((tip) => sameBlock(tip, node)) || outs.some((tip) => sameBlock(tip, node));

/** For each slot the block that extends the other, ours if equal; undefined if two blocks are on different branches. */
const mergeSlots = (ours: readonly DagNode[], theirs: readonly DagNode[]): readonly DagNode[] | undefined => {
  const merged: DagNode[] = [];
  for (let i = 0; i < ours.length; i++) {
    const a = ours[i]!;
    const b = theirs[i]!;
    if (extendsNode(a, b)) merged.push(a);
    else if (extendsNode(b, a)) merged.push(b);
    else return undefined;
  }
  return merged;
};

const hasConflict = (spent: SpentReader, group: number, ours: DagNode, theirs: DagNode, outs: readonly DagNode[]) => {
  const lower = theirs.height < ours.height ? theirs : ours;
  const nodes = outs.flatMap((out, to) => nodesBetween(out, outTipNode(lower, to)));
  return firstConflict(spent, nodes) !== undefined;
};

/** `merge(F, x)`: the flow tips that include both, undefined if there are none (protocol 03 §7.6). */
const mergeFlowTips = (spent: SpentReader, group: number, tips: FlowTips, node: DagNode): FlowTips | undefined => {
  if (includes(tips, node)) return tips;
  const ins = mergeSlots(
    tips.ins,
    tips.ins.map((_, i) => groupTipNode(node, groupOfInSlot(i, group))),
  );
  if (!ins) return undefined;
  const own = groupTipNode(node, group);
  if (sameBlock(tips.outs[own.to]!, own)) return { ins, outs: tips.outs };
  const outs = mergeSlots(tips.outs, outTipNodes(own));
  if (!outs) return undefined;
  if (hasConflict(spent, group, tips.outs[group]!, outTipNode(own, group), outs)) return undefined;
  return { ins, outs };
};

/**
 * "Extend cur with candidates X relative to y": every candidate is merged into the initial value of the step (protocol
 * 03 §7.6).
 */
const extendWith = (search: Search, candidates: readonly DagNode[], relativeTo: DagNode): Search => {
  const sorted = candidates.filter((node) => isAncestorNode(relativeTo, node));
  if (sorted.length > 1) sorted.sort((a, b) => compareByWeight(b, a));
  let best = search;
  for (const candidate of sorted) {
    const merged = mergeFlowTips(search.spent, search.group, search.current, candidate);
    if (!merged || merged === search.current) continue;
    const weight = search.weight + flowDiffWork(merged, search.current);
    if (weight > best.weight) best = { ...search, current: merged, weight };
  }
  return best;
};

const heaviest = (nodes: Iterable<DagNode>): DagNode | undefined => {
  let best: DagNode | undefined;
  for (const node of nodes) if (!best || compareByWeight(node, best) > 0) best = node;
  return best;
};

const heaviestIntraTip = (reader: ChainReader, groups: number): DagNode => {
  const tips: DagNode[] = [];
  for (let k = 0; k < groups; k++) tips.push(...reader.tipNodes({ from: k, to: k }));
  const best = heaviest(tips);
  if (!best) throw new Error('a block DAG without tips');
  return best;
};

/** A tip, or the newest block below it that includes none of the blocks to avoid. */
const belowAvoided = (tip: DagNode, avoided: readonly DagNode[]): DagNode => {
  let node = tip;
  for (const block of avoided) {
    if (block.from === node.from && block.to === node.to && isAncestorNode(block, node)) node = block.parent!;
  }
  return node;
};

/**
 * Best dependencies of a group over the current tips (protocol 03 §7.6), as nodes: the in-deps, then the out-deps.
 * `avoid` names blocks of the group's own inter-group chains that templates must not build on (protocol 03 §8.8 (d));
 * without it the result is the one that every node computes. May throw SpentInputsMissing.
 */
const bestDependencyNodes = (
  reader: ChainReader,
  spent: SpentReader,
  group: number,
  settings: NetworkSettings,
  avoid: readonly Hash[] = [],
): readonly DagNode[] => {
  const best = heaviestIntraTip(reader, settings.groups);
  const order = groupOrder(best.hash, settings.groups);
  const avoided = avoid.map((hash) => reader.node(hash));
  let search: Search = { group, spent, current: flowTipsOfNode(best, group), weight: best.weight };
  for (const to of order) {
    if (best.from === group && to === best.to) continue;
    const candidates = Array.from(reader.tipNodes({ from: group, to }), (tip) => belowAvoided(tip, avoided));
    search = extendWith(search, candidates, search.current.outs[to]!);
  }
  for (const other of order) {
    if (other === group || other === best.from) continue;
    const base = search.current.ins[inSlotOf(other, group)]!;
    search = extendWith(search, [...reader.tipNodes({ from: other, to: other })], base);
  }
  return depsOfFlowTips(search.current);
};

/** Best dependencies of a group (protocol 03 §7.6): 2G-1 hashes. See `bestDependencyNodes`. */
export const bestDependencies = (
  reader: ChainReader,
  spent: SpentReader,
  group: number,
  settings: NetworkSettings,
  avoid: readonly Hash[] = [],
): Hash[] => bestDependencyNodes(reader, spent, group, settings, avoid).map((node) => node.hash);
