import { type ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';
import { type Hash } from '@shardnode/protocol/primitives';

/** Without the id: for requests of the contract's group, which have their own documented text. */
export const contractUnknown = (address: string, contractId?: Hash): ServiceError =>
  errorOf('ContractNotFound', `There is no contract with the address ${address}.`, {
    resource: `Contract ${address}`,
    ...(contractId === undefined ? { of: 'group' } : { contractId }),
  });

/** The contract can never exist: its id belongs to no group (protocol 07 §1.9). */
export const endsInNoGroup = (contract: string, groups: number): ServiceError =>
  errorOf(
    'InvalidRequest',
    `The last byte of the id of contract ${contract} is no group: expected 0 to ${groups - 1}`,
    { field: 'address' },
  );

export const groupMismatch = (given: number, address: string, group: number): string =>
  `Group mismatch: provided group is ${given}; group for ${address} is ${group}`;

export const noSuchGroup = (group: number, groups: number): ServiceError =>
  errorOf('InvalidGroup', `There is no group ${group}: expected 0 to ${groups - 1}`, { field: 'group', group });
