import { type ErrorData, type ServiceError } from '@shardnode/core/errors';
import { errorOf, scriptHex, type ReadAddress } from '@shardnode/http';
import { allGroups } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { groupOfLockupScript, lockupScriptCodec, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { chainQuery, query } from '../endpoint/parameters.js';

const actions = { 'start-mining': 'command.mining.start', 'stop-mining': 'command.mining.stop' } as const;

/** One of each group, in order. @throws ServiceError */
const checkedAddresses = (addresses: readonly ReadAddress<AssetLockupScript>[], groups: number): string[] => {
  const refusal = (detail: string, facts: ErrorData): ServiceError =>
    errorOf('InvalidMinerAddresses', detail, { field: 'addresses', ...facts });
  if (addresses.length !== groups)
    throw refusal(
      `${addresses.length} addresses are given, but one for each of the ${groups} groups is needed, in order.`,
      { found: addresses.length, expected: groups },
    );
  return addresses.map(({ text, lockupScript }, group) => {
    if (groupOfLockupScript(lockupScript, groups) !== group) {
      throw refusal(
        `addresses[${group}] is of group ${groupOfLockupScript(lockupScript, groups)}: an address of group ${group} is needed there.`,
        { address: text, group, field: `addresses[${group}]` },
      );
    }
    return scriptHex(lockupScript);
  });
};

const cpuMining = ({ network: { groups }, requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'POST',
      path: '/miners/cpu-mining',
      tag: 'Miners',
      summary: 'Start or stop mining blocks on all chains, one round after the other',
      description: 'For development networks. MINING_INTERVAL is the pause between two rounds.',
      synced: true,
      query: query({ action: requests.miners.action }),
      answer: answers.miningSwitched,
    },
    (plan) =>
      plan.search(async ({ query: { action } }, clients) => {
        await allGroups(clients.groups, actions[action], {});
        return true;
      }),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/miners/cpu-mining/mine-one-block',
      tag: 'Miners',
      summary: 'Mine one block on a chain',
      description: 'For development networks. Answers when the block is stored.',
      synced: true,
      query: query(chainQuery(groups)),
      answer: answers.mined,
    },
    (plan) =>
      plan.oneGroup('command.mining.mine-one', {
        ask: ({ query: { fromGroup: from, toGroup: to } }) => ({ group: from, payload: { from, to } }),
        form: () => true,
      }),
  ),
];

const addresses = ({ network: { groups }, requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/miners/addresses',
      tag: 'Miners',
      summary: 'Who is paid for blocks',
      answer: answers.minerAddresses,
      codes: ['NoMinerAddresses'],
    },
    (plan) =>
      // All groups know the same ones.
      plan.oneGroup('read.mining.addresses', {
        ask: () => ({ group: 0, payload: {} }),
        form: ({ lockupScripts }) => {
          if (lockupScripts.length === 0)
            throw errorOf(
              'NoMinerAddresses',
              'No miner addresses are set: nobody would be paid for blocks. Set one for each group.',
            );
          return { addresses: lockupScripts.map((hex) => addressOf(decode(lockupScriptCodec, hexToBytes(hex)))) };
        },
      }),
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/miners/addresses',
      tag: 'Miners',
      summary: 'Set who is paid for blocks',
      description: 'Address i must be of group i. Not stored: a restart brings those of the settings back.',
      body: requests.miners.addresses,
      codes: ['InvalidMinerAddresses'],
    },
    (plan) =>
      plan.everyGroup('command.mining.set-addresses', {
        payload: ({ body }) => ({ lockupScripts: checkedAddresses(body.addresses, groups) }),
        merge: () => undefined,
      }),
  ),
];

/** Protocol 07 §13. */
export const minerEndpoints = (edge: Edge): Endpoint[] => [...cpuMining(edge), ...addresses(edge)];
