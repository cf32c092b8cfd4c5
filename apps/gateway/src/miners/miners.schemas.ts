import { assetAddress, fields, flagAnswer, type Leaf, list, mistake, required, textOf } from '@shardnode/http';
import { parametersOf } from '../operations/parameters.js';

const actions = ['start-mining', 'stop-mining'] as const;
const longestEcho = 40;
const minerAction: Leaf<(typeof actions)[number]> = {
  expects: `one of ${actions.join(', ')}`,
  read: (raw) =>
    actions.find((action) => action === raw) ??
    mistake(`Invalid miner action: ${String(raw).slice(0, longestEcho)}; expected one of ${actions.join(', ')}`),
  meaning: { description: 'What the miner is to do', example: actions[0], type: 'string', enum: actions },
};
export const MinerActionQuery = parametersOf({ action: required(minerAction) });

/** Limit of groups of any network: a longer list is not read. */
const mostGroups = 256;
export const SetMinerAddresses = fields(
  { addresses: list(required(assetAddress), 'addresses, one for each group in order', { most: mostGroups }) },
  { description: 'Who is to be paid for blocks', id: 'SetMinerAddresses' },
);

export const AlwaysTrue = flagAnswer('Always true', true);
export const MinerAddresses = fields(
  { addresses: list(textOf(assetAddress), 'addresses, one for each group in order') },
  { description: 'Who is paid for blocks', id: 'MinerAddresses' },
);
