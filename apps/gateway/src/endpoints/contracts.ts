import { contractAddress, errorOf, groupIndex, optional, required } from '@shardnode/http';
import { groupOfScript } from '@shardnode/messages';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { path, query } from '../endpoint/parameters.js';

const contractState = ({ network: { groups }, answers }: Edge): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/contracts/{address}/state',
      tag: 'Contracts',
      summary: 'State of a contract',
      params: path({ address: required(contractAddress) }),
      query: query({ group: optional(groupIndex(groups, 'The group of the contract; it follows from the address')) }),
      answer: answers.contractState,
      codes: ['ContractNotFound'],
    },
    (plan) =>
      plan.here(({ params: { address }, query: { group: given } }) => {
        const { text, lockupScript } = address;
        const group = groupOfScript(lockupScript, groups);
        if (given !== undefined && group !== undefined && given !== group) {
          throw errorOf('InvalidRequest', `Group mismatch: provided group is ${given}; group for ${text} is ${group}`);
        }
        const id = lockupScript.kind === 'p2c' ? lockupScript.contractId : '';
        throw errorOf('ContractNotFound', `Failed in IO: KeyNotFound: Key ${id} not found`, {
          resource: `Contract ${text}`,
        });
      }),
  );

/** Protocol 07 §10. There are no contracts yet. */
export const contractEndpoints = (edge: Edge): Endpoint[] => [contractState(edge)];
