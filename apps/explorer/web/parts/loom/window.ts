import { type NetworkState } from '../../store/network-state.js';

/** Blocks of a lane that the picture shows at first: as many as can be told apart. */
const blocksOfLane = 15;
/** How much longer the picture may be than what there is to see. */
const mostEmpty = 1.5;

interface StartWindow {
  readonly ms: number;
  /** Whether a longer one fits when the network is older. */
  readonly isYoung: boolean;
}

/**
 * The time that the picture shows at first: that of the last blocks of a lane, or the age of a network that has fewer.
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
  const oldest = known.at(-1)?.timestamp ?? now;
  const wantedMs = ((now - oldest) / Math.max(1, known.length)) * Math.min(made, enough);
  return { ms: spans.findLast((ms) => ms <= wantedMs * mostEmpty) ?? spans[0]!, isYoung: made < enough };
};
