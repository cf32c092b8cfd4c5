import { type SealedHeader, workOf } from '../block/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';

/**
 * A block in the DAG: its header, its links and values derived from them. BlockDag creates nodes; they never change.
 * The dependencies of a genesis block are the virtual ones of protocol 03 §4.2 (its own included), so that the tip
 * functions need no special case for them but one.
 */
export interface DagNode {
  /** Rebuilt at each access for all but recent blocks. */
  readonly header: SealedHeader;
  readonly hash: Hash;
  readonly chainIndex: ChainIndex;
  readonly from: number;
  readonly to: number;
  readonly height: number;
  /** Accumulated weight (protocol 03 §7.2). */
  readonly weight: bigint;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** Compact. */
  readonly target: number;
  /** 2^256 div value(target): the difficulty of the block (protocol 03 §9.2). */
  readonly work: bigint;
  /** Sum of the work of the blocks of its chain up to this one, genesis not counted: differences give sums over `between`. */
  readonly chainWork: bigint;
  /** Undefined for genesis. */
  readonly parent: DagNode | undefined;
  /** A far ancestor that makes the search for an ancestor by height logarithmic. */
  readonly skip: DagNode | undefined;
  /** The G-1 in-deps, then the G out-deps. */
  readonly deps: readonly DagNode[];
}

/** A block that must be known is unknown: a fault, never a refusal. */
export class UnknownBlock extends Error {
  constructor(readonly hash: Hash) {
    super(`block ${hash} is not in the block DAG`);
    this.name = 'UnknownBlock';
  }
}

/** Two blocks that a rule assumes on one branch are not (protocol 03 §4.3): a fault, the block is neither valid nor invalid. */
export class UnrelatedBlocks extends Error {
  constructor(newer: Hash, older: Hash) {
    super(`block ${older} is not an ancestor of block ${newer}`);
    this.name = 'UnrelatedBlocks';
  }
}

export const isGenesisNode = (node: DagNode): boolean => node.parent === undefined;

export const groupsOf = (node: DagNode): number => (node.deps.length + 1) / 2;

/** Position of group k among the in-deps of a block of group `own`, k != own (protocol 03 §4.1). */
export const inSlotOf = (k: number, own: number): number => (k < own ? k : k - 1);

/** The group whose intra-group block stands in in-slot i of a block of group `own` (protocol 03 §4.1). */
export const groupOfInSlot = (i: number, own: number): number => (i < own ? i : i + 1);

/** `outDep(b,t)` (protocol 03 §1). */
export const outDep = (node: DagNode, to: number): DagNode => node.deps[groupsOf(node) - 1 + to]!;

/** `inDep(b,k)`, k != from(b) (protocol 03 §1). */
export const inDep = (node: DagNode, group: number): DagNode => node.deps[inSlotOf(group, node.from)]!;

const clearLowestBit = (value: number): number => value & (value - 1);

/** Height of the far ancestor of a block: even heights jump far, odd ones a little less, so that any search takes O(log n) steps. */
const skipHeight = (height: number): number =>
  height < 2 ? 0 : height & 1 ? clearLowestBit(clearLowestBit(height - 1)) + 1 : clearLowestBit(height);

const nearBy = 8;

/** The ancestor-or-self of `node` at `height`; a fault when `height` is above the node or negative. */
export const ancestorAt = (node: DagNode, height: number): DagNode => {
  if (height > node.height || height < 0) throw new RangeError(`no ancestor at height ${height} below ${node.height}`);
  let walk = node;
  while (walk.height > height) {
    const skip = walk.skip;
    if (skip && walk.height - height > nearBy) {
      const target = skip.height;
      const viaParent = skipHeight(walk.height - 1);
      if (target === height || (target > height && !(viaParent < target - 2 && viaParent >= height))) {
        walk = skip;
        continue;
      }
    }
    walk = walk.parent!;
  }
  return walk;
};

export const skipNodeFor = (parent: DagNode): DagNode => ancestorAt(parent, skipHeight(parent.height + 1));

/** The work of a header, shared with the parent's number where the targets are equal. */
export const workAfter = (parent: DagNode, target: number): bigint =>
  parent.target === target ? parent.work : workOf(target);
