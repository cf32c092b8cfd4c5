import { indexOfChain } from './chains.js';
import { type BlockLite, type Chain } from './forms.js';
import { type NetworkState } from './network-state.js';

/** A height of a chain. */
export interface ChainRow {
  readonly height: number;
  /** Undefined while it is not read. */
  readonly block?: BlockLite;
  /** Blocks of this height that are not on the main chain. */
  readonly beside: readonly BlockLite[];
}

export type BlocksByHeight = ReadonlyMap<number, readonly BlockLite[]>;

const isOf = (chain: Chain, block: Chain, groups: number): boolean =>
  indexOfChain(block, groups) === indexOfChain(chain, groups);

/**
 * The newest heights of a chain. What the network told goes before what was read.
 * @param length how many heights at most
 */
export const rowsOf = (
  { heads, blocks, orphans, groups }: NetworkState,
  chain: Chain,
  readBlocks: BlocksByHeight,
  length: number,
): ChainRow[] => {
  const head = heads[indexOfChain(chain, groups)];
  if (head === undefined) return [];
  const main = new Map(blocks.filter((block) => isOf(chain, block, groups)).map((block) => [block.height, block]));
  main.set(head.height, head);
  const left = orphans.map(({ block }) => block).filter((block) => isOf(chain, block, groups));
  const hasLeft = new Set(left.map(({ hash }) => hash));
  return Array.from({ length: Math.min(length, head.height + 1) }, (_, i) => {
    const height = head.height - i;
    const known = readBlocks.get(height) ?? [];
    const block = main.get(height) ?? known.find(({ mainChain, hash }) => mainChain && !hasLeft.has(hash));
    const others = [...left.filter((each) => each.height === height), ...known].filter(
      ({ hash }) => hash !== block?.hash,
    );
    return { height, block, beside: [...new Map(others.map((each) => [each.hash, each])).values()] };
  });
};

/** Heights of a request. */
export interface HeightRange {
  readonly highest: number;
  /** How many heights, down from the highest. */
  readonly limit: number;
}

/** Most heights of a request. */
const mostHeights = 100;

/** Requests for heights, highest first: few ones, so that heights between them may be among those that are asked for. */
export const rangesOf = (heights: readonly number[]): HeightRange[] => {
  const ranges: HeightRange[] = [];
  for (const height of heights) {
    const { highest } = ranges.at(-1) ?? { highest: Infinity };
    const limit = highest - height + 1;
    if (limit <= mostHeights) ranges[ranges.length - 1] = { highest, limit };
    else ranges.push({ highest: height, limit: 1 });
  }
  return ranges;
};
