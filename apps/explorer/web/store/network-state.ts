import { indexOfChain } from './chains.js';
import {
  type AddressChange,
  type BlockLite,
  type Hello,
  type PendingChange,
  type PendingEntry,
  type Reorganisation,
  type Snapshot,
  type Stats,
} from './forms.js';

/** A block that left the main chain while the page was open. */
export interface Orphan {
  readonly block: BlockLite;
  /** When the page learnt of it, milliseconds since 1970. */
  readonly at: number;
}

/** What the page knows of the network. It never changes: each event makes the next. */
export interface NetworkState {
  readonly groups: number;
  readonly coinSymbol: string;
  /** Milliseconds; undefined while unknown. */
  readonly blockTargetMs?: number;
  /** The newest block of each chain, by its index. */
  readonly heads: readonly (BlockLite | undefined)[];
  /** Blocks of the main chains, newest first, at most `mostBlocks`. */
  readonly blocks: readonly BlockLite[];
  /** Newest first. */
  readonly orphans: readonly Orphan[];
  readonly pending: ReadonlyMap<string, PendingEntry>;
  /** May be more than the entries of `pending`. */
  readonly pendingCount: number;
  /** Hashes that have left the mempools, the newest last, at most `mostLeft`. */
  readonly left: ReadonlySet<string>;
  /** How often the list of all that waits was read. */
  readonly pendingReads: number;
  readonly stats?: Stats;
  /** Hashes of the newest blocks that arrived while the page was open, at most `mostArrived`. */
  readonly arrived: ReadonlySet<string>;
  /** Of all that arrived while the page was open. */
  readonly arrivals: { readonly blocks: number; readonly transactions: number };
  /** How often something happened at a watched address while the page was open. */
  readonly touched: ReadonlyMap<string, number>;
  /** How often the stream began again or had lost events: what happened before is not told. */
  readonly snapshots: number;
  /** Hashes of blocks after genesis, some at least if there are any: the network is known by them. */
  readonly firstBlocks: readonly string[];
}

/** Half a minute of a network that makes a hundred a second. */
export const mostBlocks = 3_000;
const mostOrphans = 50;
const mostArrived = 100;
const mostLeft = 1_000;

export const emptyNetwork = (groups = 4, coinSymbol = 'COIN'): NetworkState => ({
  groups,
  coinSymbol,
  heads: Array.from({ length: groups * groups }, () => undefined),
  blocks: [],
  orphans: [],
  pending: new Map(),
  pendingCount: 0,
  left: new Set(),
  pendingReads: 0,
  arrived: new Set(),
  arrivals: { blocks: 0, transactions: 0 },
  touched: new Map(),
  snapshots: 0,
  firstBlocks: [],
});

/** Newest first; blocks of one moment by chain, then as the hash says. */
export const isNewer = (a: BlockLite, b: BlockLite): number =>
  b.timestamp - a.timestamp || a.chainFrom - b.chainFrom || a.chainTo - b.chainTo || (a.hash < b.hash ? -1 : 1);

/** Whether blocks, newest first, have one. */
const has = (blocks: readonly BlockLite[], block: BlockLite): boolean => {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isNewer(blocks[middle]!, block) < 0) low = middle + 1;
    else high = middle;
  }
  return blocks[low]?.hash === block.hash;
};

const placeOf = ({ chainFrom, chainTo, height }: BlockLite): string => `${chainFrom}/${chainTo}/${height}`;

/** Known blocks at the places of other ones. */
const replacedBy = ({ blocks, heads, groups }: NetworkState, fresh: readonly BlockLite[]): readonly BlockLite[] => {
  const isAbove = (block: BlockLite): boolean =>
    block.height > (heads[indexOfChain(block, groups)]?.height ?? Infinity);
  const places = new Set(fresh.filter((block) => !isAbove(block)).map(placeOf));
  return places.size === 0 ? [] : blocks.filter((block) => places.has(placeOf(block)));
};

const headsWith = (state: NetworkState, blocks: readonly BlockLite[]): readonly (BlockLite | undefined)[] => {
  const heads = [...state.heads];
  for (const block of blocks) {
    const index = indexOfChain(block, state.groups);
    if (block.height >= (heads[index]?.height ?? -1)) heads[index] = block;
  }
  return heads;
};

const withOrphans = (state: NetworkState, left: readonly BlockLite[], at: number): NetworkState => {
  if (left.length === 0) return state;
  const gone = new Set(left.map(({ hash }) => hash));
  return {
    ...state,
    blocks: state.blocks.filter(({ hash }) => !gone.has(hash)),
    heads: state.heads.map((head) => (head && gone.has(head.hash) ? undefined : head)),
    orphans: [...left.map((block) => ({ block, at })), ...state.orphans].slice(0, mostOrphans),
  };
};

/**
 * Takes in blocks of the main chains. A known block at the same place of a chain has been replaced.
 * @param isLive whether they were made just now, and not loaded from the past
 */
export const withBlocks = (
  before: NetworkState,
  added: readonly BlockLite[],
  { isLive, now }: { readonly isLive: boolean; readonly now: number },
): NetworkState => {
  const unknown = added.filter((block) => !has(before.blocks, block));
  if (unknown.length === 0) return before;
  const fresh = [...new Map(unknown.map((block) => [block.hash, block])).values()];
  const hashes = new Set(fresh.map(({ hash }) => hash));
  const state = withOrphans(before, replacedBy(before, fresh), now);
  const { blocks, transactions } = before.arrivals;
  return {
    ...state,
    blocks: [...fresh.sort(isNewer), ...state.blocks].sort(isNewer).slice(0, mostBlocks),
    heads: headsWith(state, fresh),
    orphans: state.orphans.filter(({ block }) => !hashes.has(block.hash)),
    firstBlocks: [...state.firstBlocks, ...fresh.flatMap(({ height, hash }) => (height === 1 ? [hash] : []))],
    ...(isLive && {
      arrived: new Set([...before.arrived, ...hashes].slice(-mostArrived)),
      arrivals: {
        blocks: blocks + fresh.length,
        transactions: transactions + fresh.reduce((sum, { txNumber }) => sum + txNumber, 0),
      },
    }),
  };
};

export const withReorganisation = (
  state: NetworkState,
  { removed, added }: Reorganisation,
  now: number,
): NetworkState => {
  const gone = new Set(removed);
  const left = state.blocks.filter(({ hash }) => gone.has(hash));
  return withBlocks(withOrphans(state, left, now), added, { isLive: true, now });
};

/** Whether a snapshot is of another network: the one that the page knows was started over, from the same genesis. */
export const isOfAnother = ({ firstBlocks, groups }: NetworkState, { firstBlocks: told, heads }: Snapshot): boolean => {
  if (firstBlocks.length === 0) return false;
  // An index that has not read the first blocks yet says nothing.
  if (told.length === 0) return heads.length === groups ** 2 && heads.every(({ height }) => height === 0);
  return told.every((hash) => !firstBlocks.includes(hash));
};

export const withSnapshot = (state: NetworkState, snapshot: Snapshot, now: number): NetworkState => {
  const { heads, latestBlocks, stats = state.stats, pendingCount = state.pendingCount } = snapshot;
  const firstBlocks = snapshot.firstBlocks.length > 0 ? snapshot.firstBlocks : state.firstBlocks;
  const isLive = state.blocks.length > 0;
  const filled = withBlocks(state, latestBlocks, { isLive, now });
  return {
    ...filled,
    heads: headsWith(filled, heads),
    stats,
    pendingCount,
    firstBlocks,
    snapshots: state.snapshots + 1,
  };
};

/** Everything of a network with another number of groups is forgotten. */
export const withHello = (state: NetworkState, { groups, coinSymbol, blockTargetTimeMs }: Hello): NetworkState => ({
  ...(groups === state.groups ? state : emptyNetwork(groups)),
  coinSymbol,
  blockTargetMs: blockTargetTimeMs ?? state.blockTargetMs,
});

export const withStats = (state: NetworkState, stats: Stats): NetworkState => ({
  ...state,
  stats,
  pendingCount: stats.pendingCount,
});

/** All pending transactions as a list says. @param count of all, when the list is only a part */
export const withPendingList = (
  state: NetworkState,
  list: readonly PendingEntry[],
  count = list.length,
): NetworkState => ({
  ...state,
  pending: new Map(list.map((entry) => [entry.hash, entry])),
  pendingCount: count,
  pendingReads: state.pendingReads + 1,
});

export const withPending = (state: NetworkState, { added = [], removed = [] }: PendingChange): NetworkState => {
  const pending = new Map(state.pending);
  const known = removed.filter((hash) => pending.delete(hash)).length;
  for (const entry of added) pending.set(entry.hash, entry);
  const unknown = Math.max(0, state.pendingCount - state.pending.size - (removed.length - known));
  const left = new Set([...state.left, ...removed].slice(-mostLeft));
  for (const { hash } of added) left.delete(hash);
  return { ...state, pending, pendingCount: pending.size + unknown, left };
};

/**
 * Changes when one of some pending transactions may have left the mempools: a list that shows them is read again.
 * @param shown hashes
 */
export const pendingVersion = ({ left, pendingReads }: NetworkState, shown: readonly string[]): string =>
  shown.length === 0 ? '' : `${pendingReads} ${shown.filter((hash) => left.has(hash)).join()}`;

/** Whether blocks are missing below some that the stream tells, the lowest first: then it has lost others, too. */
export const haveGap = ({ heads, groups }: NetworkState, blocks: readonly BlockLite[]): boolean => {
  const heights = heads.map((head) => head?.height);
  return blocks.some((block) => {
    const index = indexOfChain(block, groups);
    const { [index]: below = block.height } = heights;
    heights[index] = Math.max(below, block.height);
    return block.height > below + 1;
  });
};

/** Events were lost: what they told is asked for, as after a snapshot. */
export const withLoss = (state: NetworkState): NetworkState => ({ ...state, snapshots: state.snapshots + 1 });

export const withAddressChange = (state: NetworkState, { address }: AddressChange): NetworkState => ({
  ...state,
  touched: new Map(state.touched).set(address, (state.touched.get(address) ?? 0) + 1),
});

/** How many target times without a block make a chain a stalled one. */
const stalledAfter = 5;
/** Milliseconds; chains of a development network pause whenever nobody mines. */
const shortestStall = 60_000;

/** Indexes of chains that have no new block for long while others do. */
export const stalledChains = (state: NetworkState, now: number): ReadonlySet<number> => {
  const mean = state.stats?.averageBlockTimeMs ?? 0;
  const longest = Math.max(stalledAfter * Math.max(state.blockTargetMs ?? 64_000, mean), shortestStall);
  // A chain that never had a block is no stalled one.
  const ages = state.heads.map((head) => (head === undefined || head.height === 0 ? 0 : now - head.timestamp));
  if (ages.every((age) => age === 0 || age > longest)) return new Set();
  return new Set(ages.flatMap((age, index) => (age > longest ? [index] : [])));
};

/** Transactions of users between groups. */
export interface Traffic {
  /** By chain index; coinbases left out. */
  readonly counts: readonly number[];
  readonly total: number;
  /** Share inside one group, 0 to 1; 0 without traffic. */
  readonly inside: number;
  /** Milliseconds that it covers: an hour, or less while the page knows less. */
  readonly spanMs: number;
}

const hourMs = 3_600_000;

export const trafficOf = ({ blocks, groups }: NetworkState, now: number): Traffic => {
  const counts = Array.from({ length: groups * groups }, () => 0);
  const counted = blocks.filter(({ timestamp, height }) => height > 0 && timestamp > now - hourMs);
  for (const block of counted) counts[indexOfChain(block, groups)]! += block.txNumber - 1;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const inside = counts.reduce((sum, count, index) => sum + (index % (groups + 1) === 0 ? count : 0), 0);
  const oldest = counted.at(-1)?.timestamp ?? now;
  const isAllOfTheHour = counted.length < blocks.length;
  return { counts, total, inside: total === 0 ? 0 : inside / total, spanMs: isAllOfTheHour ? hourMs : now - oldest };
};
