import { type ChainIndex, type Hash } from '../primitives/index.js';
import { type Transaction } from '../transaction/index.js';

/** The fields of a block header in wire order (protocol 01 §14.1). */
export interface BlockHeader {
  /** 24 bytes. */
  readonly nonce: Uint8Array;
  readonly version: number;
  /** 2G-1 hashes: the G-1 in-deps, then the G out-deps. */
  readonly blockDeps: readonly Hash[];
  readonly depStateHash: Hash;
  readonly txsHash: Hash;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** The four bytes of the compact target as an unsigned 32-bit number. */
  readonly target: number;
}

/** A header with fixed bytes: those received, or the canonical ones of a header built here (protocol 01 §2.8). */
export interface SealedHeader extends BlockHeader {
  /** blake3 twice over `raw`. */
  readonly hash: Hash;
  /** From the last two bytes of `hash` (protocol 01 §14.3). */
  readonly chainIndex: ChainIndex;
  readonly raw: Uint8Array;
}

/** protocol 01 §14.2 */
export interface Block {
  readonly header: SealedHeader;
  /** The coinbase is the last one. */
  readonly transactions: readonly Transaction[];
  /** Header and transactions as received. */
  readonly raw: Uint8Array;
}

/** The dependency of a block on its own chain; the zero hash of genesis blocks (protocol 03 §1). */
export const parentHashOf = ({ blockDeps, chainIndex }: SealedHeader, groups: number): Hash =>
  blockDeps[groups - 1 + chainIndex.to]!;
