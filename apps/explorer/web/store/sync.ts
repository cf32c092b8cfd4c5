import { type ChainSync, type Sync } from './forms.js';

/** Where the API tells it. */
export const syncPath = 'infos/sync';

/** How much of a chain is indexed, 0 to 1; undefined while its node has not told its height. */
export const progressOf = ({ height, nodeHeight }: ChainSync): number | undefined => {
  if (nodeHeight === null) return undefined;
  return nodeHeight === 0 ? 1 : Math.min(1, height / nodeHeight);
};

/** The same of all chains whose nodes told their heights, by blocks. */
export const progressOfAll = ({ chains }: Sync): number => {
  const known = chains.filter(({ nodeHeight }) => nodeHeight !== null);
  const [indexed, all] = known.reduce(
    ([low, high], { height, nodeHeight }) => [low + Math.min(height, nodeHeight!), high + nodeHeight!],
    [0, 0],
  );
  if (known.length === 0) return 0;
  return all === 0 ? 1 : indexed / all;
};

const unreachable = 'unreachable';

/** Groups whose node does not answer: none of their chains is followed. */
export const silentGroups = ({ chains }: Sync): number[] =>
  [...new Set(chains.map(({ chainFrom }) => chainFrom))].filter((group) =>
    chains.every(({ chainFrom, state }) => chainFrom !== group || state === unreachable),
  );

/** When the newest block of some groups was made, milliseconds since 1970. */
export const lastHeard = ({ chains }: Sync, groups: readonly number[]): number =>
  Math.max(...chains.filter(({ chainFrom }) => groups.includes(chainFrom)).map(({ timestamp }) => timestamp));
