import { chainOfHash, dependencyOnChain, dependencyOnGroup, indexOfChain } from './chains.js';
import { type Block, type BlockLite, type Chain } from './forms.js';

/** Blocks by hash and by height. Their headers never change. */
export interface Headers {
  block(hash: string): Promise<Block>;
  /** The block of the main chain at a height; undefined above the head. */
  at(chain: Chain, height: number): Promise<Block | undefined>;
}

/** Where each group has taken in a block: heights on its intra-group chain; undefined while it has not. */
export interface TakenIn {
  readonly bySender?: BlockLite;
  readonly byReceiver?: BlockLite;
}

/** Heights of a chain that are looked at: a healthy chain needs two. */
const furthest = 24;

/** Whether a hash is the block, or a later one of its chain. */
export const isAtOrAfter = async (headers: Headers, hash: string | undefined, block: BlockLite): Promise<boolean> =>
  hash !== undefined && (hash === block.hash || (await headers.block(hash)).height > block.height);

/** The newest block of a chain of group `group` that a block of that group, or a dependency on it, sees. */
export const seenBy = async (
  headers: Headers,
  hash: string,
  chain: Chain,
  groups: number,
): Promise<string | undefined> => {
  const { chainFrom, chainTo } = chainOfHash(hash, groups);
  if (chainFrom === chain.chainFrom && chainTo === chain.chainTo) return hash;
  return dependencyOnChain((await headers.block(hash)).deps, chain.chainTo);
};

/**
 * The first block of a chain, after the one with the hash `after`, of which something is true.
 * @param after undefined: from the genesis block on, which rests on none
 */
export const firstAfter = async (
  headers: Headers,
  chain: Chain,
  after: string | undefined,
  takesIn: (candidate: Block) => Promise<boolean>,
): Promise<Block | undefined> => {
  const height = after === undefined ? -1 : (await headers.block(after)).height;
  for (let next = height + 1; next <= height + furthest; next++) {
    const candidate = await headers.at(chain, next);
    if (candidate === undefined || (await takesIn(candidate))) return candidate;
  }
  return undefined;
};

const inside = (group: number): Chain => ({ chainFrom: group, chainTo: group });

/** Which intra-group blocks took in a block between two groups (protocol 07 §8.5, rules 3 and 4). */
export const takenIn = async (headers: Headers, block: Block, groups: number): Promise<TakenIn> => {
  const { chainFrom: from, chainTo: to } = block;
  if (from === to) return { bySender: block, byReceiver: block };
  const bySender = await firstAfter(headers, inside(from), dependencyOnChain(block.deps, from), async ({ deps }) =>
    isAtOrAfter(headers, dependencyOnChain(deps, to), block),
  );
  if (bySender === undefined) return {};
  const receiver = dependencyOnGroup(block.deps, from, to);
  const start = receiver && (await seenBy(headers, receiver, inside(to), groups));
  const byReceiver = await firstAfter(headers, inside(to), start, async ({ deps }) => {
    const seen = dependencyOnGroup(deps, to, from);
    return seen !== undefined && isAtOrAfter(headers, await seenBy(headers, seen, block, groups), block);
  });
  return { bySender, byReceiver };
};

export interface Confirmations {
  readonly inChain: number;
  readonly inSender: number;
  readonly inReceiver: number;
}

const above = (head: BlockLite | undefined, block: BlockLite | undefined): number =>
  block === undefined ? 0 : Math.max((head?.height ?? block.height) - block.height + 1, 1);

/** @param headOf the newest block of a chain */
export const confirmationsOf = (
  block: BlockLite,
  { bySender, byReceiver }: TakenIn,
  headOf: (chain: Chain) => BlockLite | undefined,
): Confirmations => {
  return {
    inChain: above(headOf(block), block),
    inSender: above(headOf(inside(block.chainFrom)), bySender),
    inReceiver: above(headOf(inside(block.chainTo)), byReceiver),
  };
};

/** A count of confirmations from a moment on. */
export interface CountSince {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly count: number;
}

/**
 * How a count grew, oldest first: up to the head without a gap, as far back as the blocks are known.
 * @param first the block that counts as the first
 * @param blocks of the main chains
 */
export const countsOverTime = (first: BlockLite, blocks: readonly BlockLite[], groups: number): CountSince[] => {
  const isOf = (block: BlockLite): boolean =>
    indexOfChain(block, groups) === indexOfChain(first, groups) && block.height >= first.height;
  const byHeight = new Map([first, ...blocks.filter(isOf)].map((block) => [block.height, block]));
  const counts: CountSince[] = [];
  for (let height = Math.max(...byHeight.keys()); byHeight.has(height); height--)
    counts.push({ timestamp: byHeight.get(height)!.timestamp, count: height - first.height + 1 });
  return counts.reverse();
};
