import { type SealedHeader } from '../block/index.js';
import { type ChainIndex, type Hash, type OutputReference } from '../primitives/index.js';

/** Reads of headers by hash. A hash that is not known is a fault, thrown: callers check dependencies first. */
export interface HeaderReader {
  has(hash: Hash): boolean;
  header(hash: Hash): SealedHeader;
  height(hash: Hash): number;
  /** Accumulated weight (protocol 03 §7.2). */
  weight(hash: Hash): bigint;
  genesis(chain: ChainIndex): Hash;
}

/** Reads of chains: tips and lists of hashes by height (protocol 03 §7.3). */
export interface ChainReader extends HeaderReader {
  tips(chain: ChainIndex): readonly Hash[];
  /** Canonical first; empty when none. */
  hashesAt(chain: ChainIndex, height: number): readonly Hash[];
}

/** The asset output references that the transactions of a block spend (protocol 03 §6.3); own and in-chain blocks only. */
export interface SpentReader {
  spentBy(blockHash: Hash): readonly OutputReference[];
}
