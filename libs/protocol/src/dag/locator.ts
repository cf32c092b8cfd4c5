import { type ChainIndex, type Hash, sameChain } from '../primitives/index.js';
import { type ChainReader } from './readers.js';

const locatorDepth = 400;

/** Heights of a page after its first one (protocol 03 §2.2, §13.2). */
const maxSyncHeights = 50;

/** Heights to sample, ascending: the highest, then ever larger steps below it (protocol 03 §13.1). */
export const locatorHeights = (lowest: number, highest: number): number[] => {
  const heights = [highest];
  for (let step = 1; highest - step >= lowest; step *= 2) heights.push(highest - step);
  return heights.reverse();
};

/**
 * Canonical hashes with which a peer finds the last common block; empty on a chain with genesis only (protocol 03
 * §13.1).
 */
export const locator = (reader: ChainReader, chain: ChainIndex): Hash[] => {
  const highest = reader.maxHeight(chain);
  if (highest === 0) return [];
  return locatorHeights(Math.max(1, highest - locatorDepth), highest).map((height) => {
    const [canonical] = reader.hashesAt(chain, height);
    if (canonical === undefined) throw new Error(`chain (${chain.from},${chain.to}) has no block at height ${height}`);
    return canonical;
  });
};

const isCanonicalOf = (reader: ChainReader, chain: ChainIndex, hash: Hash): boolean =>
  sameChain(reader.node(hash).chainIndex, chain) && reader.isCanonical(hash);

/**
 * The answer to a locator (protocol 03 §13.2): all hashes, every branch, of the heights after the last common block, at
 * most 51 heights; nothing when no hash is canonical here; from height 1 for an empty locator.
 */
export const hashesAfterLocator = (reader: ChainReader, chain: ChainIndex, sampled: readonly Hash[]): Hash[] => {
  const unknown = new Set(reader.missing(sampled));
  const common = sampled.findLast((hash) => !unknown.has(hash) && isCanonicalOf(reader, chain, hash));
  if (common === undefined && sampled.length > 0) return [];
  const start = common === undefined ? 1 : reader.height(common) + 1;
  const end = Math.min(start + maxSyncHeights, reader.maxHeight(chain));
  const hashes: Hash[] = [];
  for (let height = start; height <= end; height++) hashes.push(...reader.hashesAt(chain, height));
  return hashes;
};
