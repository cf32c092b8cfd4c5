import { type ServiceError } from '@shardnode/core/errors';
import { contractAddress, errorOf, groupIndex, optional, required } from '@shardnode/http';
import { groupOfScript } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { path, query } from '../endpoint/parameters.js';
import { renamed } from '../endpoint/plans.js';

/** Without the id: when the group of the contract was asked for, which has a documented text of its own. */
export const contractUnknown = (address: string, contractId?: Hash): ServiceError =>
  errorOf('ContractNotFound', `There is no contract with the address ${address}.`, {
    resource: `Contract ${address}`,
    ...(contractId === undefined ? { of: 'group' } : { contractId }),
  });

/** Not a contract that might come to be: nowhere is a place for it (protocol 07 §1.9). */
export const endsInNoGroup = (contract: string, groups: number): ServiceError =>
  errorOf(
    'InvalidRequest',
    `The last byte of the id of contract ${contract} is no group: expected 0 to ${groups - 1}`,
    { field: 'address' },
  );

export const groupMismatch = (given: number, address: string, group: number): string =>
  `Group mismatch: provided group is ${given}; group for ${address} is ${group}`;

/** Protocol 07 §10.1. */
export const contractEndpoints = ({ network: { groups }, answers, contractForms }: Edge): Endpoint[] => [
  endpoint(
    {
      method: 'GET',
      path: '/contracts/{address}/state',
      tag: 'Contracts',
      summary: 'State of a contract',
      description: 'Its code, its fields and what it owns, as the newest block of its group leaves them.',
      params: path({ address: required(contractAddress) }),
      query: query({ group: optional(groupIndex(groups, 'The group of the contract; it follows from the address')) }),
      answer: answers.contractState,
      codes: ['ContractNotFound'],
    },
    () => ({
      kind: 'one group',
      prepare: ({ params: { address }, query: { group: given } }) => {
        const { text, lockupScript } = address;
        const { contractId } = lockupScript;
        const group = groupOfScript(lockupScript, groups);
        // The id ends in no group: such a contract is as unknown as any other (recorded so; balances say what is wrong).
        if (group === undefined) throw contractUnknown(text, contractId);
        if (given !== undefined && given !== group) {
          throw errorOf('InvalidRequest', groupMismatch(given, text, group), { field: 'group' });
        }
        return async (clients) => {
          const reply = clients.groups.request(group, 'read.contract.state', { contractId });
          return contractForms.state(await renamed(reply, () => contractUnknown(text, contractId)));
        };
      },
    }),
  ),
];
