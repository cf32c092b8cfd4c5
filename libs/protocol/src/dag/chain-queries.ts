import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex } from '../primitives/index.js';
import { type DagNode } from './node.js';
import { type ChainReader } from './readers.js';
import { compareByWeight } from './weight.js';

const heightCount = (reader: ChainReader, chain: ChainIndex): number => {
  // After a pause of a chain its tips may be lower than its canonical blocks.
  let height = Math.max(reader.maxHeight(chain), reader.lowest(chain));
  while (reader.nodesAt(chain, height + 1).length > 0) height++;
  return height + 1;
};

/** The lowest height in memory whose canonical block is not older than `timestamp`; canonical timestamps rise strictly. */
const firstHeightFrom = (reader: ChainReader, chain: ChainIndex, timestamp: bigint): number => {
  let low = reader.lowest(chain);
  let high = heightCount(reader, chain);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reader.nodesAt(chain, middle)[0]!.timestamp < timestamp) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Canonical blocks of a chain in an interval of milliseconds, both ends included, ascending (protocol 03 §7.4), but for
 * settled ones: their rows are found by time.
 */
export const canonicalNodesBetweenTimes = (
  reader: ChainReader,
  chain: ChainIndex,
  fromTime: bigint,
  toTime: bigint,
): DagNode[] => {
  const nodes: DagNode[] = [];
  for (let height = firstHeightFrom(reader, chain, fromTime); ; height++) {
    const [node] = reader.nodesAt(chain, height);
    if (!node || node.timestamp > toTime) return nodes;
    nodes.push(node);
  }
};

const hashRateScale = 1000n;

/** Average hashes per second over an interval from the work of its blocks (protocol 03 §9.4). `toTime` > `fromTime`. */
export const averageHashRate = (settings: NetworkSettings, work: bigint, fromTime: bigint, toTime: bigint): bigint =>
  (work * hashRateScale * BigInt(settings.groups ** 2)) / (toTime - fromTime);

/** Work of the heaviest tips of some chains: parts of several nodes add up (protocol 03 §9.4). */
export const workOfHeaviestTips = (reader: ChainReader, chains: readonly ChainIndex[]): bigint =>
  chains
    .map((chain) => [...reader.tipNodes(chain)].reduce((best, tip) => (compareByWeight(tip, best) > 0 ? tip : best)))
    .reduce((sum, { work }) => sum + work, 0n);

/** Mean difficulty of the heaviest tips of all chains (protocol 03 §9.4). */
export const currentDifficulty = (reader: ChainReader, settings: NetworkSettings): bigint => {
  const chains = Array.from({ length: settings.groups ** 2 }, (_, flat) => ({
    from: Math.floor(flat / settings.groups),
    to: flat % settings.groups,
  }));
  return workOfHeaviestTips(reader, chains) / BigInt(chains.length);
};
