import { type Hash } from '../primitives/index.js';
import { nodesBetween } from './ancestry.js';
import { type DagNode, isGenesisNode } from './node.js';
import { type HeaderReader } from './readers.js';
import { inTipNode, outTipNodes } from './tips.js';

/** The list L as nodes: in-chain blocks first, then out-chain blocks (protocol 03 §8.2). */
const nodesForStateView = (group: number, deps: readonly DagNode[]): DagNode[] => {
  const inCount = (deps.length - 1) / 2;
  const intra = deps[inCount + group]!;
  const newer = [...deps.slice(0, inCount).map((dep) => inTipNode(dep, group)), ...deps.slice(inCount)];
  const olderIns = Array.from({ length: inCount }, (_, slot) => inTipNode(intra.dep(slot), group));
  const olderOuts = isGenesisNode(intra) ? intra.deps.slice(inCount) : outTipNodes(intra);
  const older = [...olderIns, ...olderOuts];
  return newer.flatMap((tip, slot) => nodesBetween(tip, older[slot]!));
};

/**
 * The blocks whose effects lie between the world state of the intra-group dependency and what the dependencies include
 * (protocol 03 §8.2): L, in-chain blocks first. `deps` are 2G-1 known hashes of a block or template of `group`.
 */
export const blocksForStateView = (reader: HeaderReader, group: number, deps: readonly Hash[]): Hash[] =>
  nodesForStateView(
    group,
    deps.map((dep) => reader.node(dep)),
  ).map((node) => node.hash);
