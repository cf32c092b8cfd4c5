import { type ChainIndex } from '@shardnode/protocol/primitives';
import { type ChainState } from './replay-target.js';

/** State that all group-nodes share: the canonical block of each height, and the set of tips. */
const comparable = ({ maxHeight, currentHeight, tips, hashesWithSeveral }: ChainState): string =>
  JSON.stringify([
    maxHeight,
    currentHeight,
    [...tips].sort(),
    hashesWithSeveral.map(({ height, hashes }) => [height, hashes[0]]),
  ]);

/** The chain as seen by its owner. `states`: by group. Throws if another group sees it differently. */
export const agreedChainState = (states: readonly ChainState[], chain: ChainIndex): ChainState => {
  const own = states[chain.from]!;
  const other = states.findIndex((state) => comparable(state) !== comparable(own));
  if (other >= 0) throw new Error(`group ${other} sees chain (${chain.from},${chain.to}) otherwise than its owner`);
  return own;
};
