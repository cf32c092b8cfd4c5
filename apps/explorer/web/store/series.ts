import { indexOfChain } from './chains.js';
import { type BlockLite } from './forms.js';

/** Numbers over the blocks that the page knows, for the small pictures of the figures. Oldest first. */

export const seriesLength = 40;

/** A value for each of equally long parts of the time from the oldest block to now. */
const inParts = (
  blocks: readonly BlockLite[],
  now: number,
  valueOf: (blocks: readonly BlockLite[], spanMs: number) => number,
): number[] => {
  const start = blocks.at(-1)?.timestamp;
  if (start === undefined || now <= start) return [];
  const spanMs = (now - start) / seriesLength;
  const parts = Array.from({ length: seriesLength }, (): BlockLite[] => []);
  for (const block of blocks)
    parts[Math.min(seriesLength - 1, Math.max(0, Math.floor((block.timestamp - start) / spanMs)))]!.push(block);
  return parts.map((part) => valueOf(part, spanMs));
};

const transactionsOf = (blocks: readonly BlockLite[]): number =>
  blocks.reduce((sum, { txNumber }) => sum + txNumber - 1, 0);

export const transactionsPerSecond = (blocks: readonly BlockLite[], now: number): number[] =>
  inParts(blocks, now, (part, spanMs) => (transactionsOf(part) * 1_000) / spanMs);

/** Transactions of all blocks up to each part, upwards to `total`. */
export const transactionTotals = (blocks: readonly BlockLite[], now: number, total: number): number[] => {
  const added = inParts(blocks, now, (part) => part.reduce((sum, { txNumber }) => sum + txNumber, 0));
  let current = total - added.reduce((sum, number) => sum + number, 0);
  return added.map((number) => (current += number));
};

/** The rates of the newest blocks. */
export const hashRates = (blocks: readonly BlockLite[]): number[] =>
  blocks
    .slice(0, seriesLength)
    .map(({ hashRate }) => Number(hashRate))
    .reverse();

/** Milliseconds between the newest blocks of each chain and those before them. */
export const blockTimes = (blocks: readonly BlockLite[], groups: number): number[] => {
  const later = new Map<number, number>();
  const times: number[] = [];
  for (const block of blocks) {
    const chain = indexOfChain(block, groups);
    const next = later.get(chain);
    if (next !== undefined) times.push(next - block.timestamp);
    later.set(chain, block.timestamp);
  }
  return times.slice(0, seriesLength).reverse();
};

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Block rewards among all transactions: one of each block after genesis. @param blocks of all chains, genesis counted */
export const rewardsOf = (blocks: number, groups: number): number => Math.max(0, blocks - groups ** 2);

/** Transactions that are no block rewards; each group has one of genesis. @param blocks of all chains, genesis counted */
export const paymentsOf = (transactions: number, blocks: number, groups: number): number =>
  Math.max(0, transactions - rewardsOf(blocks, groups) - groups);
