import { fields, list, mistake, required, type Leaf } from '../leaf.js';
import { assetAddress } from '../texts.js';

const actions = ['start-mining', 'stop-mining'] as const;
const longestEcho = 40;

const minerAction: Leaf<(typeof actions)[number]> = {
  expects: `one of ${actions.join(', ')}`,
  read: (raw) =>
    actions.find((action) => action === raw) ??
    mistake(`Invalid miner action: ${String(raw).slice(0, longestEcho)}; expected one of ${actions.join(', ')}`),
  meaning: { description: 'What the miner is to do', example: actions[0], type: 'string', enum: actions },
};

/** Groups that any network has at most: a list that is longer is not read. */
const mostGroups = 256;

/** Protocol 07 §13. */
export const minerRequests = () => ({
  action: required(minerAction),
  addresses: fields(
    { addresses: list(required(assetAddress), 'addresses, one for each group in order', { most: mostGroups }) },
    { description: 'Who is to be paid for blocks', id: 'SetMinerAddresses' },
  ),
});
