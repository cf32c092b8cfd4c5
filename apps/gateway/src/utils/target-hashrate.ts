import { errorOf } from '@shardnode/http';
import { networkHashRate, targetValue } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** Hexadecimal digits of a target in compact form. */
const targetDigits = 8;

/**
 * Hashes per second that keep the block time at this target on all chains (protocol 07 §14).
 *
 * @param target in compact form, hexadecimal
 * @throws ServiceError `InvalidTarget`
 */
export const targetHashrate = (
  target: string,
  { groups, blockTargetTime }: Pick<NetworkSettings, 'groups' | 'blockTargetTime'>,
): bigint => {
  const compact = target.length === targetDigits ? parseInt(target, 16) : 0;
  if (targetValue(compact) <= 0n)
    throw errorOf('InvalidTarget', `${target} is no target of work: 8 hexadecimal digits, of a number above 0.`, {
      target,
    });
  return networkHashRate(compact, groups, blockTargetTime);
};
