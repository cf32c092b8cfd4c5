import { canonicalNodesBetweenTimes } from '@shardnode/protocol/dag';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { type IntervalBlock } from '../store/index.js';
import { type BlockReads } from './blocks-within.js';

/** Milliseconds since 1970, both ends included. */
export interface Interval {
  readonly fromTime: bigint;
  readonly toTime: bigint;
}

/**
 * The first canonical blocks of a chain in an interval, ascending (protocol 03 §7.4): settled ones from the store, the
 * others from memory.
 */
export const canonicalBlocksBetween = async (
  { state, store }: BlockReads,
  chain: ChainIndex,
  { fromTime, toTime }: Interval,
  limit: number,
): Promise<readonly IntervalBlock[]> => {
  const { published, loaded } = state.memory;
  // At one moment: the window rises with the chain.
  const { lowest, recent, isAll } = await loaded(() => {
    const from = published.lowest(chain);
    return {
      lowest: from,
      recent: canonicalNodesBetweenTimes(published, chain, fromTime, toTime),
      isAll: from === 0 || published.nodesAt(chain, from)[0]!.timestamp < fromTime,
    };
  });
  if (isAll) return recent.slice(0, limit);
  const settled = await store.canonicalBetween({ chain, fromTime, toTime, below: lowest, limit });
  return [...settled, ...recent].slice(0, limit);
};

/** Rows of one statement. */
const blocksAtOnce = 5_000;

/** All of them, in pages that need little memory. */
export async function* canonicalPagesBetween(
  node: BlockReads,
  chain: ChainIndex,
  { fromTime, toTime }: Interval,
): AsyncIterable<readonly IntervalBlock[]> {
  for (let from = fromTime; ;) {
    const page = await canonicalBlocksBetween(node, chain, { fromTime: from, toTime }, blocksAtOnce);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < blocksAtOnce) return;
    from = last.timestamp + 1n;
  }
}
