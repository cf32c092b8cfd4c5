import { type SealedHeader, workOf } from '../block/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';

/** A far ancestor of a block. */
export interface Skip {
  readonly node: DagNode;
  /** Of the blocks after it, up to the block that skips. */
  readonly work: bigint;
}

/**
 * A block in the DAG: its header, its links and values derived from them. BlockDag creates nodes; they never change. Two
 * nodes may stand for one block, because settled ones leave memory and are loaded again: compare them with `sameBlock`.
 * The dependencies of a genesis block are the virtual ones of protocol 03 §4.2 (its own included), so that the tip
 * functions need no special case for them but one.
 */
export interface DagNode {
  /** Decoded at each access. */
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
  /** Undefined for genesis. Throws BlocksMissing. */
  readonly parent: DagNode | undefined;
  /** Makes the search for an ancestor by height logarithmic. Undefined for genesis and settled blocks. */
  readonly skip: Skip | undefined;
  /** The hashes of the G-1 in-deps, then of the G out-deps. */
  readonly depHashes: readonly Hash[];
  /** The dependencies in the same order. Throws BlocksMissing with all that are not in memory. */
  readonly deps: readonly DagNode[];
  /** One of them. Throws BlocksMissing. */
  dep(slot: number): DagNode;
  /** An ancestor at `height` or not far above, without a walk, for blocks without a skip. Throws BlocksMissing. */
  ancestorNear(height: number): DagNode | undefined;
}

/** Whether two nodes stand for one block. */
export const sameBlock = (a: DagNode, b: DagNode): boolean => a === b || a.hash === b.hash;

/** All blocks of a chain at a height. */
export interface ChainHeight {
  readonly chain: ChainIndex;
  readonly height: number;
}

/**
 * Thrown by rules and reads that need settled blocks which are not in memory. The caller loads all that are named in one
 * batch (`BlockDag.load`) and runs again. Not a refusal.
 */
export class BlocksMissing extends Error {
  constructor(
    readonly hashes: readonly Hash[],
    readonly heights: readonly ChainHeight[] = [],
  ) {
    super(`${hashes.length} blocks and ${heights.length} heights are not in memory`);
    this.name = 'BlocksMissing';
  }
}

/** The result of a read, undefined where it needs settled blocks that are not in memory: for hints that may be wrong. */
export const fromMemory = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof BlocksMissing) return undefined;
    throw error;
  }
};

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

export const isGenesisNode = (node: DagNode): boolean => node.height === 0;

export const groupsOf = (node: DagNode): number => (node.depHashes.length + 1) / 2;

/** Position of group k among the in-deps of a block of group `own`, k != own (protocol 03 §4.1). */
export const inSlotOf = (k: number, own: number): number => (k < own ? k : k - 1);

/** The group whose intra-group block stands in in-slot i of a block of group `own` (protocol 03 §4.1). */
export const groupOfInSlot = (i: number, own: number): number => (i < own ? i : i + 1);

/** `outDep(b,t)` (protocol 03 §1). */
export const outDep = (node: DagNode, to: number): DagNode => node.dep(groupsOf(node) - 1 + to);

/** The hash of `outDep(b,t)`, which need not be in memory. */
export const outDepHash = (node: DagNode, to: number): Hash => node.depHashes[groupsOf(node) - 1 + to]!;

/** `inDep(b,k)`, k != from(b) (protocol 03 §1). */
export const inDep = (node: DagNode, group: number): DagNode => node.dep(inSlotOf(group, node.from));

const clearLowestBit = (value: number): number => value & (value - 1);

/** Height of the far ancestor of a block: even heights jump far, odd ones a little less, so that any search takes O(log n) steps. */
const skipHeight = (height: number): number =>
  height < 2 ? 0 : height & 1 ? clearLowestBit(clearLowestBit(height - 1)) + 1 : clearLowestBit(height);

const nearBy = 8;

/** The skip of a block, if it is a step of the shortest way down to `height`. */
const skipToward = (node: DagNode, height: number): Skip | undefined => {
  const { skip } = node;
  if (!skip || node.height - height <= nearBy) return undefined;
  const target = skip.node.height;
  const viaParent = skipHeight(node.height - 1);
  const isBest = target === height || (target > height && !(viaParent < target - 2 && viaParent >= height));
  return isBest ? skip : undefined;
};

/**
 * The ancestor-or-self of `node` at `height`; a fault when `height` is above the node or negative. Throws BlocksMissing.
 */
export const ancestorAt = (node: DagNode, height: number): DagNode => {
  if (height > node.height || height < 0) throw new RangeError(`no ancestor at height ${height} below ${node.height}`);
  let walk = node;
  while (walk.height > height) {
    const isFar = !walk.skip && walk.height - height > nearBy;
    walk = skipToward(walk, height)?.node ?? (isFar ? walk.ancestorNear(height) : undefined) ?? walk.parent!;
  }
  return walk;
};

/** A block below another, and the work of the blocks between them: the lower one not counted, the upper one counted. */
export const workDownTo = (node: DagNode, height: number): Skip => {
  let work = 0n;
  let walk = node;
  while (walk.height > height) {
    const skip = skipToward(walk, height);
    work += skip?.work ?? walk.work;
    walk = skip?.node ?? walk.parent!;
  }
  return { node: walk, work };
};

/**
 * The skip of a block with this parent and work. It does not lead below `lowest`, the lowest height of the chain whose
 * links are all in memory.
 */
export const skipFor = (parent: DagNode, work: bigint, lowest: number): Skip | undefined => {
  const target = Math.max(skipHeight(parent.height + 1), lowest);
  if (target > parent.height) return undefined;
  const below = workDownTo(parent, target);
  return { node: below.node, work: below.work + work };
};

/** The work of a header, shared with the parent's number where the targets are equal. */
export const workAfter = (parent: DagNode | undefined, target: number): bigint =>
  parent?.target === target ? parent.work : workOf(target);
