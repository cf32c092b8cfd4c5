import { type ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';
import { groupOfContractId } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';

/** An address of a contract in a request. */
interface ContractAddress {
  readonly text: string;
  readonly lockupScript: { readonly contractId: Hash };
}

const noGroupText = (groups: number): string => `the last byte of its id is no group, expected 0 to ${groups - 1}`;

/** `There is no contract ..`, with the group in which it was looked up, or the reason why there can be none. */
const unknownText = ({ text, lockupScript: { contractId } }: ContractAddress, groups: number): string => {
  const group = groupOfContractId(contractId, groups);
  return group === undefined
    ? `There is no contract with the address ${text}: ${noGroupText(groups)}.`
    : `There is no contract with the address ${text} in group ${group}, which the last byte of its id names.`;
};

export const contractUnknown = (address: ContractAddress, groups: number): ServiceError =>
  errorOf('ContractNotFound', unknownText(address, groups), {
    resource: `Contract ${address.text}`,
    contractId: address.lockupScript.contractId,
  });

/** The same for requests of the contract's group, which have their own documented text. */
export const contractOfGroupUnknown = (address: ContractAddress, groups: number): ServiceError =>
  errorOf('ContractNotFound', unknownText(address, groups), { resource: `Contract ${address.text}`, of: 'group' });

/** No events were recorded, or never can be: the id belongs to no group. */
export const noEventsOf = ({ text, lockupScript: { contractId } }: ContractAddress, groups: number): ServiceError => {
  const why = groupOfContractId(contractId, groups) === undefined ? `: ${noGroupText(groups)}` : '';
  const resource = `Current events count for contract ${text}`;
  return errorOf('ContractNotFound', `No events of the contract ${text} are recorded${why}.`, { resource });
};

/** The contract can never exist: its id belongs to no group (protocol 07 §1.9). */
export const endsInNoGroup = (contract: string, groups: number): ServiceError =>
  errorOf(
    'InvalidRequest',
    `The last byte of the id of contract ${contract} is no group: expected 0 to ${groups - 1}`,
    { field: 'address' },
  );

/** The request names another group than the contract's. */
export const groupMismatch = (given: number, address: string, group: number): ServiceError =>
  errorOf('InvalidRequest', `Group mismatch: provided group is ${given}; group for ${address} is ${group}`, {
    field: 'group',
    contractGroup: group,
  });

export const noSuchGroup = (group: number, groups: number): ServiceError =>
  errorOf('InvalidGroup', `There is no group ${group}: expected 0 to ${groups - 1}`, { field: 'group', group });
