import { type ErrorData, type ServiceError } from '@shardnode/core/errors';
import { errorOf, scriptHex, type ReadAddress } from '@shardnode/http';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';

const refusal = (detail: string, facts: ErrorData): ServiceError =>
  errorOf('InvalidMinerAddresses', detail, { field: 'addresses', ...facts });

/**
 * Lockup scripts of the receivers of block rewards, hexadecimal (protocol 07 §13).
 * @throws ServiceError `InvalidMinerAddresses` unless there is one address of each group, in order
 */
export const minerLockupScripts = (addresses: readonly ReadAddress<AssetLockupScript>[], groups: number): string[] => {
  if (addresses.length !== groups)
    throw refusal(
      `${addresses.length} addresses are given, but one for each of the ${groups} groups is needed, in order.`,
      { found: addresses.length, expected: groups },
    );
  return addresses.map(({ text, lockupScript }, group) => {
    const found = groupOfLockupScript(lockupScript, groups);
    if (found !== group)
      throw refusal(`addresses[${group}] is of group ${found}: an address of group ${group} is needed there.`, {
        address: text,
        group,
        field: `addresses[${group}]`,
      });
    return scriptHex(lockupScript);
  });
};
