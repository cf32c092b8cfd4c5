import { type ChainReads, type HeaderRow, type IntervalBlock } from '@shardnode/group-node';
import { type ChainIndex, flatIndex, sameChain } from '@shardnode/protocol/primitives';
import { copyOfBytes, type MemoryDisk, type StoredHeader } from './memory-disk.js';

/** Heights that a read of settled blocks brings: few, so that simulated chains have many pages. */
const pageHeights = 16;

export const headerRow = ({ header, height, weight, rank }: StoredHeader): HeaderRow => ({
  hash: header.hash,
  raw: copyOfBytes(header.raw),
  height,
  weight,
  rank,
});

const keyOf = ({ from, to }: ChainIndex, height: number): string => `${from}:${to}:${Math.floor(height / pageHeights)}`;

const isOfChain =
  (chain: ChainIndex) =>
  ({ header }: StoredHeader): boolean =>
    sameChain(header.chainIndex, chain);

/** The headers of height 0, and those of the newest heights of every chain. */
export const newestHeights = ({ accepted }: MemoryDisk, groups: number, heights: number): readonly StoredHeader[] => {
  const tops = new Map<number, number>();
  for (const { header, height } of accepted) {
    const chain = flatIndex(header.chainIndex, groups);
    tops.set(chain, Math.max(height, tops.get(chain) ?? 0));
  }
  return accepted.filter(
    ({ header, height }) => height === 0 || height > tops.get(flatIndex(header.chainIndex, groups))! - heights,
  );
};

/** See `ChainReads`. */
export const headerPages = (
  disk: MemoryDisk,
  { hashes, heights }: Parameters<ChainReads['headerPages']>[0],
): readonly HeaderRow[] => {
  const pages = new Set(heights.map(({ chain, height }) => keyOf(chain, height)));
  for (const hash of hashes) {
    const stored = disk.headers.get(hash);
    if (stored) pages.add(keyOf(stored.header.chainIndex, stored.height));
  }
  return disk.accepted.filter(({ header, height }) => pages.has(keyOf(header.chainIndex, height))).map(headerRow);
};

/** See `ChainReads`. */
export const canonicalBetween = (
  { accepted }: MemoryDisk,
  { chain, fromTime, toTime, below, limit }: Parameters<ChainReads['canonicalBetween']>[0],
): readonly IntervalBlock[] =>
  accepted
    .filter(isOfChain(chain))
    .filter(({ height, rank }) => height < below && rank === 0)
    .filter(({ header: { timestamp } }) => timestamp >= fromTime && timestamp <= toTime)
    .sort((a, b) => a.height - b.height)
    .slice(0, limit)
    .map(({ height, header: { hash, timestamp, target } }) => ({ hash, height, timestamp, target }));
