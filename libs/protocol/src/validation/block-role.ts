import { type SealedHeader } from '../block/index.js';
import { type ChainReader, maxForkDepth } from '../dag/index.js';
import { type ChainIndex } from '../primitives/index.js';
import { refuse, type Verdict } from './outcome.js';

/**
 * Role of a chain for the node of a group (protocol 03 §6.1). `own` (g,t): full validation. `incoming` (k,g): validates
 * the header and the form of the body; the node of k validates the rest. `foreign`: validates only the header.
 */
export type BlockRole = 'own' | 'incoming' | 'foreign';

/** protocol 03 §6.1 */
export const blockRole = (chain: ChainIndex, group: number): BlockRole =>
  chain.from === group ? 'own' : chain.to === group ? 'incoming' : 'foreign';

/** For bodies from outside, before the header checks (protocol 03 §6.4). The parent is known. */
export const checkForkDepth = (reader: ChainReader, header: SealedHeader): Verdict => {
  const { chainIndex, blockDeps } = header;
  const parent = blockDeps[(blockDeps.length - 1) / 2 + chainIndex.to]!;
  const height = reader.height(parent) + 1;
  const highest = reader.maxHeight(chainIndex);
  return height + maxForkDepth >= highest
    ? undefined
    : refuse('InvalidBlockHeight', `height ${height}, the chain is at ${highest}`);
};
