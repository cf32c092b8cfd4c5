import { blockHashText, fields, groupIndex, optional, required } from '@shardnode/http';

const parameters = { description: 'Parameters' };

/** One block, by its hash in the path. */
export const blockHashPath = () => fields({ block_hash: required(blockHashText) }, parameters);

/** A chain; both groups must be given. */
export const chainQuery = (groups: number) => ({
  fromGroup: required(groupIndex(groups, 'Group that the chain comes from')),
  toGroup: required(groupIndex(groups, 'Group that the chain goes to')),
});

/** Narrows a search to some chains. */
export const someChainsQuery = (groups: number) => ({
  fromGroup: optional(groupIndex(groups, 'Search only chains from this group')),
  toGroup: optional(groupIndex(groups, 'Search only chains to this group')),
});

export const query = <Shape extends Parameters<typeof fields>[0]>(shape: Shape) => fields(shape, parameters);
export const path = query;
