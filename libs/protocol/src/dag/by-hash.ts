import { type BlockHeader, type SealedHeader, workOf } from '../block/index.js';
import { type Hash } from '../primitives/index.js';
import { isAncestorNode, nodesBetween } from './ancestry.js';
import { flowDiffNodes, type FlowTips, flowTipsOfNode } from './flow-tips.js';
import { type HeaderReader } from './readers.js';
import { extendsNode, groupTipNode, inTipNode, intraDepNode, outTipNode, outTipNodes } from './tips.js';
import { accumulatedWeight } from './weight.js';

/** `outTip(b,t)` (protocol 03 §4.2). */
export const outTip = (reader: HeaderReader, hash: Hash, to: number): Hash => outTipNode(reader.node(hash), to).hash;

/** `outTips(b)` (protocol 03 §4.2). */
export const outTips = (reader: HeaderReader, hash: Hash): Hash[] =>
  outTipNodes(reader.node(hash)).map((node) => node.hash);

/** `groupTip(b,k)` (protocol 03 §4.2). */
export const groupTip = (reader: HeaderReader, hash: Hash, group: number): Hash =>
  groupTipNode(reader.node(hash), group).hash;

/** `intraDepOf(b,k)` (protocol 03 §4.2). */
export const intraDepOf = (reader: HeaderReader, hash: Hash, group: number): Hash =>
  intraDepNode(reader.node(hash), group).hash;

/** `inTip(d,g)` (protocol 03 §4.2). */
export const inTip = (reader: HeaderReader, hash: Hash, group: number): Hash =>
  inTipNode(reader.node(hash), group).hash;

/** `anc(a,b)` (protocol 03 §4.3): both of one chain. */
export const isAncestor = (reader: HeaderReader, a: Hash, b: Hash): boolean =>
  isAncestorNode(reader.node(a), reader.node(b));

/** `extends(x,y)` (protocol 03 §4.3): both with the same fromGroup. */
export const extendsBlock = (reader: HeaderReader, x: Hash, y: Hash): boolean =>
  extendsNode(reader.node(x), reader.node(y));

/** `between(n,o)`, ascending (protocol 03 §4.3). Throws UnrelatedBlocks. */
export const between = (reader: HeaderReader, newer: Hash, older: Hash): Hash[] =>
  nodesBetween(reader.node(newer), reader.node(older)).map((node) => node.hash);

/** The flow tips of a block for a group (protocol 03 §4.4): in-tips, then out-tips. */
export const flowTips = (reader: HeaderReader, hash: Hash, group: number): Hash[] => {
  const { ins, outs } = flowTipsOfNode(reader.node(hash), group);
  return [...ins, ...outs].map((node) => node.hash);
};

const fromHashes = (reader: HeaderReader, hashes: readonly Hash[]): FlowTips => {
  const nodes = hashes.map((hash) => reader.node(hash));
  const inCount = (nodes.length - 1) / 2;
  return { ins: nodes.slice(0, inCount), outs: nodes.slice(inCount) };
};

/** `flowDiff(A,B)` of two values of `flowTips` of one group (protocol 03 §4.4). */
export const flowDiff = (reader: HeaderReader, newer: readonly Hash[], older: readonly Hash[]): Hash[] =>
  flowDiffNodes(fromHashes(reader, newer), fromHashes(reader, older)).map((node) => node.hash);

/** Accumulated weight of a header whose dependencies are known (protocol 03 §7.2). */
export const weightOf = (reader: HeaderReader, header: SealedHeader): bigint =>
  accumulatedWeight(
    header.chainIndex.from,
    header.blockDeps.map((dep) => reader.node(dep)),
    workOf(header.target),
  );

/** The dependencies of a header that are not known yet, each once, in their order (protocol 03 §12.4). */
export const missingDependencies = (reader: Pick<HeaderReader, 'has'>, header: BlockHeader): Hash[] => [
  ...new Set(header.blockDeps.filter((dep) => !reader.has(dep))),
];
