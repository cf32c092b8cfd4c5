import { type NetworkState } from '../../store/network-state.js';

/** Blocks of a lane that can be told apart. */
const blocksOfLane = 15;
/** How much of them, or of all blocks of a young network, the picture shows at first at least. */
const leastShare = 1 / 3;

interface StartWindow {
  readonly ms: number;
  /** Whether a longer one fits when the network is older. */
  readonly isYoung: boolean;
}

/**
 * The time that the picture shows at first: the shortest one with a good part of the last blocks of each lane, or of all
 * blocks of a network that has fewer.
 * @param spans those to choose from, milliseconds, the shortest first
 * @param now milliseconds since 1970
 */
export const startWindow = (
  { blocks, heads, groups }: Pick<NetworkState, 'blocks' | 'heads' | 'groups'>,
  spans: readonly number[],
  now: number,
): StartWindow => {
  const made = heads.reduce((sum, head) => sum + (head?.height ?? 0), 0);
  const enough = blocksOfLane * groups ** 2;
  const known = blocks.filter(({ height }) => height > 0);
  const wanted = Math.min(known.length, Math.min(made, enough) * leastShare);
  const isFull = (ms: number): boolean => known.filter(({ timestamp }) => timestamp > now - ms).length >= wanted;
  return { ms: spans.find(isFull) ?? spans.at(-1)!, isYoung: made < enough };
};
