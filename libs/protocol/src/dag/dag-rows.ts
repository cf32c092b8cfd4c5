import { type SealedHeader } from '../block/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';

/** The hashes of one height after a change, canonical first. */
interface HeightList {
  readonly height: number;
  readonly hashes: readonly Hash[];
}

/** Effect of adding a block to its chain (protocol 03 §7.3). */
export interface AddOutcome {
  readonly chain: ChainIndex;
  readonly height: number;
  readonly weight: bigint;
  /** Whether the block is first at its height. */
  readonly isCanonical: boolean;
  /** Every height whose list changes: the block's own first, then lower ones that a reorganisation changes. */
  readonly lists: readonly HeightList[];
  /** Former tips: the parent, and those too old. */
  readonly removedTips: readonly Hash[];
}

/** A stored block, to be restored at start. */
export interface StoredHeader {
  readonly header: SealedHeader;
  readonly weight: bigint;
  readonly height: number;
  /** Position in the list of its height, 0: canonical. */
  readonly heightRank: number;
}

export interface DagLimits {
  /** Heights of each chain that are always in memory, the newest ones; absent: all. At least 1. */
  readonly window?: number | undefined;
  /** Settled heights, of all chains, that stay in memory while nobody holds them; absent: 2,048. */
  readonly settled?: number | undefined;
}

/** Ascending in height, and in the order of each height. */
export const byPlace = (rows: Iterable<StoredHeader>): StoredHeader[] =>
  [...rows].sort((a, b) => a.height - b.height || a.heightRank - b.heightRank);
