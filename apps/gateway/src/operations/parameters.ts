import { blockHashText, fields, groupIndex, optional, required } from '@shardnode/http';

const parameters = { description: 'Parameters' };

/** Parameters of a query or a path. */
export const parametersOf = <Shape extends Parameters<typeof fields>[0]>(shape: Shape) => fields(shape, parameters);

/** A block, by its hash in the path. */
export const BlockHashPath = parametersOf({ block_hash: required(blockHashText) });

/** A chain; both groups must be given. */
export const chainParameters = {
  fromGroup: required(groupIndex('Group that the chain comes from')),
  toGroup: required(groupIndex('Group that the chain goes to')),
};
export const ChainQuery = parametersOf(chainParameters);

/** Restricts a search to some chains. */
export const someChainsParameters = {
  fromGroup: optional(groupIndex('Search only chains from this group')),
  toGroup: optional(groupIndex('Search only chains to this group')),
};
