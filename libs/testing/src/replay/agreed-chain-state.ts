import { type ChainIndex } from '@shardnode/protocol/primitives';
import { type ChainState } from './replay-target.js';

/** What all group-nodes see alike: of the blocks of a height the canonical one, of tips the set. */
const comparable = ({ maxHeight, currentHeight, tips, hashesWithSeveral }: ChainState): string =>
  JSON.stringify([
    maxHeight,
    currentHeight,
    [...tips].sort(),
    hashesWithSeveral.map(({ height, hashes }) => [height, hashes[0]]),
  ]);

/** The chain as its owner sees it. `states`: by group. Throws when another group sees it otherwise. */
export const agreedChainState = (states: readonly ChainState[], chain: ChainIndex): ChainState => {
  const own = states[chain.from]!;
  const other = states.findIndex((state) => comparable(state) !== comparable(own));
  if (other >= 0) throw new Error(`group ${other} sees chain (${chain.from},${chain.to}) otherwise than its owner`);
  return own;
};
