import { allChains, dependencyOnChain, dependencyOnGroup } from './chains.js';
import { firstAfter, type Headers, isAtOrAfter, seenBy } from './confirmations.js';
import { type Block, type BlockLite, type Chain } from './forms.js';

/** The first block of a chain that rests on another one. */
export interface Resting {
  readonly block: BlockLite;
  /** Whether its header names that block, and not a later one of the same chain. */
  readonly isDirect: boolean;
}

/**
 * Chains whose blocks can rest on one, in the order of dependencies: for a block inside a group the intra-group chains
 * of the other groups, and for every block the chains of its own group.
 */
export const restingChains = ({ chainFrom: from, chainTo: to }: Chain, groups: number): Chain[] => {
  const isOther = ({ chainFrom, chainTo }: Chain): boolean =>
    from === to && chainFrom === chainTo && chainFrom !== from;
  const all = allChains(groups);
  return [...all.filter(isOther), ...all.filter(({ chainFrom }) => chainFrom === from)];
};

/** The newest block of the chain of `block` that a block of `chain` has below it, as its dependencies say. */
const seenFrom = async (headers: Headers, deps: readonly string[], chain: Chain, block: Chain, groups: number) => {
  if (chain.chainFrom === block.chainFrom) return dependencyOnChain(deps, block.chainTo);
  const seen = dependencyOnGroup(deps, chain.chainFrom, block.chainFrom);
  return seen && seenBy(headers, seen, block, groups);
};

/** The first block of a chain of `restingChains` that rests on a block; undefined while there is none. */
export const restingOn = async (
  headers: Headers,
  block: Block,
  chain: Chain,
  groups: number,
): Promise<Resting | undefined> => {
  const isOwn = chain.chainFrom === block.chainFrom && chain.chainTo === block.chainTo;
  const after = isOwn ? block.hash : await seenFrom(headers, block.deps, block, chain, groups);
  const first = await firstAfter(headers, chain, after, async ({ deps }) =>
    isAtOrAfter(headers, await seenFrom(headers, deps, chain, block, groups), block),
  );
  if (first === undefined) return undefined;
  return { block: first, isDirect: (await seenFrom(headers, first.deps, chain, block, groups)) === block.hash };
};
