import { compareSignedBytes, type Hash } from '../primitives/index.js';
import { flowDiffWork, flowTipsOfDeps, flowTipsOfNode } from './flow-tips.js';
import { type DagNode } from './node.js';

/** Accumulated weight of a block of group `from` (protocol 03 §7.2): everything it includes, measured from its intra-group dependency. */
export const accumulatedWeight = (from: number, deps: readonly DagNode[], work: bigint): bigint => {
  const tips = flowTipsOfDeps(deps);
  const intra = tips.outs[from]!;
  return intra.weight + flowDiffWork(tips, flowTipsOfNode(intra, from)) + work;
};

/** Weight order: by weight, then by hash (protocol 03 §7.1). As Array.sort expects; the best one comes last. */
export const compareByWeight = (a: DagNode, b: DagNode): number =>
  a.weight === b.weight ? compareSignedBytes(a.hash, b.hash) : a.weight < b.weight ? -1 : 1;

interface HeightAndHash {
  readonly height: number;
  readonly hash: Hash;
}

/** Height order: by height, then by hash (protocol 03 §7.1). */
export const compareByHeight = (a: HeightAndHash, b: HeightAndHash): number =>
  a.height - b.height || compareSignedBytes(a.hash, b.hash);
