/** One of the G*G chains: blocks that move coins from group `from` to group `to` (protocol 03 §1). */
export interface ChainIndex {
  readonly from: number;
  readonly to: number;
}

/** `from * groups + to` (protocol 03 §1). */
export const flatIndex = (chain: ChainIndex, groups: number): number => chain.from * groups + chain.to;

export const chainFromFlatIndex = (flat: number, groups: number): ChainIndex => ({
  from: Math.floor(flat / groups),
  to: flat % groups,
});

/** All chains of a network by flat index. */
export const allChainIndexes = (groups: number): readonly ChainIndex[] =>
  Array.from({ length: groups * groups }, (_, flat) => chainFromFlatIndex(flat, groups));

export const isIntraGroup = (chain: ChainIndex): boolean => chain.from === chain.to;

export const sameChain = (a: ChainIndex, b: ChainIndex): boolean => a.from === b.from && a.to === b.to;
