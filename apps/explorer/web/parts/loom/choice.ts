import { allChains, chainOfHash, dependencyOnChain, dependencyOnGroup, indexOfChain } from '../../store/chains.js';
import { type Block, type BlockLite } from '../../store/forms.js';

/** What the picture shows about a chosen block. */
export interface Choice {
  readonly block: BlockLite;
  /** Hashes that it rests on. */
  readonly restsOn: readonly string[];
  /** Hashes of the first block of each chain that rests on it. */
  readonly carriedBy: readonly string[];
  /** From a block that carries it to the one of the receiving group that has taken that in: there its outputs are spendable. */
  readonly takenIn?: readonly [string, string];
}

/** The first block of a chain after a time. @param blocks newest first */
const firstAfter = (
  blocks: readonly BlockLite[],
  chain: number,
  timestamp: number,
  groups: number,
): BlockLite | undefined =>
  blocks.findLast((block) => block.timestamp >= timestamp && indexOfChain(block, groups) === chain);

/** The first blocks after a block on the chains that can rest on it: whose headers tell who does. At most 2G. */
export const candidates = (blocks: readonly BlockLite[], chosen: BlockLite, groups: number): BlockLite[] => {
  const { chainFrom: from, chainTo: to } = chosen;
  const later = blocks.filter(({ hash, timestamp }) => hash !== chosen.hash && timestamp >= chosen.timestamp);
  const own = allChains(groups).filter(({ chainFrom, chainTo }) =>
    from === to ? chainFrom === from || chainFrom === chainTo : chainFrom === from,
  );
  const first = own.map((chain) => firstAfter(later, indexOfChain(chain, groups), chosen.timestamp, groups));
  const carrier = first.find((block) => block?.chainFrom === from && block.chainTo === from);
  const receiver =
    from !== to && carrier
      ? firstAfter(later, indexOfChain({ chainFrom: to, chainTo: to }, groups), carrier.timestamp, groups)
      : undefined;
  return [...first, receiver].filter((block) => block !== undefined);
};

/** @param headers headers of the chosen block and of its candidates, as far as they are known */
export const choiceOf = (
  blocks: readonly BlockLite[],
  chosen: BlockLite,
  headers: ReadonlyMap<string, Block>,
  groups: number,
): Choice => {
  const { chainFrom: from, chainTo: to } = chosen;
  const later = candidates(blocks, chosen, groups);
  const restsOn = headers.get(chosen.hash)?.deps ?? [];
  const carriers = later.filter(({ hash }) => headers.get(hash)?.deps.includes(chosen.hash));
  const carrier = carriers.find(({ chainFrom, chainTo }) => chainFrom === from && chainTo === from);
  const receiver = later.find(({ hash, chainFrom, chainTo }) => {
    if (from === to || carrier === undefined || chainFrom !== to || chainTo !== to) return false;
    const seen = dependencyOnGroup(headers.get(hash)?.deps ?? [], to, from);
    const height = blocks.find((block) => block.hash === seen)?.height ?? -1;
    return height >= carrier.height;
  });
  return {
    block: chosen,
    restsOn,
    carriedBy: carriers.map(({ hash }) => hash),
    ...(carrier && receiver ? { takenIn: [carrier.hash, receiver.hash] } : {}),
  };
};

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The block that an arrow key leads to: along the lane, or to the nearest in time of the next lane that has one. */
export const neighbour = (
  blocks: readonly BlockLite[],
  chosen: BlockLite,
  direction: Direction,
  groups: number,
): BlockLite | undefined => {
  const lane = indexOfChain(chosen, groups);
  const onLane = (index: number) => blocks.filter((block) => indexOfChain(block, groups) === index);
  const along = { left: -1, right: 1 } as const;
  if (direction === 'left' || direction === 'right') {
    const own = onLane(lane).toReversed();
    return own[own.findIndex(({ hash }) => hash === chosen.hash) + along[direction]];
  }
  const step = direction === 'up' ? -1 : 1;
  for (let index = lane + step; index >= 0 && index < groups * groups; index += step) {
    const found = onLane(index);
    const distance = ({ timestamp }: BlockLite) => Math.abs(timestamp - chosen.timestamp);
    if (found.length > 0) return found.reduce((near, block) => (distance(block) < distance(near) ? block : near));
  }
  return undefined;
};

/** The dependency of a block on its own chain: its parent. */
export const parentOf = ({ hash, deps }: Pick<Block, 'hash' | 'deps'>, groups: number): string | undefined =>
  dependencyOnChain(deps, chainOfHash(hash, groups).chainTo);
