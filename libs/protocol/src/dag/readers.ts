import { type SealedHeader } from '../block/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';
import { type DagNode } from './node.js';

/**
 * Reads of headers by hash. A hash that is not known is a fault, thrown (UnknownBlock): callers check dependencies first.
 * Settled blocks that are not in memory are a miss, thrown (BlocksMissing).
 */
export interface HeaderReader {
  /** Throws BlocksMissing where the store must be read. */
  has(hash: Hash): boolean;
  /** Those that are not known, in their order. Throws one BlocksMissing for all for which the store must be read. */
  missing(hashes: readonly Hash[]): readonly Hash[];
  header(hash: Hash): SealedHeader;
  height(hash: Hash): number;
  /** Accumulated weight (protocol 03 §7.2). */
  weight(hash: Hash): bigint;
  genesis(chain: ChainIndex): Hash;
  /** The block with its links, for the rules. */
  node(hash: Hash): DagNode;
}

/** Reads of chains: tips and lists of hashes by height (protocol 03 §7.3). Lists of settled heights may be a miss. */
export interface ChainReader extends HeaderReader {
  tips(chain: ChainIndex): readonly Hash[];
  tipNodes(chain: ChainIndex): Iterable<DagNode>;
  /** The height from which on all blocks of a chain are in memory: deeper ones are settled, and reads may miss them. */
  lowest(chain: ChainIndex): number;
  /** Canonical first; empty when none. */
  hashesAt(chain: ChainIndex, height: number): readonly Hash[];
  nodesAt(chain: ChainIndex, height: number): readonly DagNode[];
  /** Height of the tip that is largest in height order (protocol 03 §7.4). */
  maxHeight(chain: ChainIndex): number;
  /** Height of the tip that is largest in weight order (protocol 03 §7.4). */
  currentHeight(chain: ChainIndex): number;
  isCanonical(hash: Hash): boolean;
}

/** The asset output references that the transactions of a block spend (protocol 03 §6.3); needed for blocks of own chains only. */
export interface SpentReader {
  /** The ids (`referenceId`) of the references. Undefined: not in memory; the rules then throw SpentInputsMissing. */
  spentBy(blockHash: Hash): ReadonlySet<string> | undefined;
}
