import { type ServiceError } from '@shardnode/core/errors';
import { type DestinationItem, serviceError } from '@shardnode/messages';
import { type Destination, type Sender } from '@shardnode/protocol/building';
import { type Codec, decode, DecodeError, hexToBytes, parseHex } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { assetLockupScriptCodec, groupOfLockupScript, minGasPrice } from '@shardnode/protocol/primitives';
import { unlockScriptCodec } from '@shardnode/protocol/transaction';

const undecodable = (field: string, reason: string): ServiceError =>
  serviceError('Undecodable', `${field}: ${reason}`, { field });

/** Decodes a field of a request. Throws `invalid-request` that names the field. */
export const decodeBytesField = <Value>(codec: Codec<Value>, bytes: Uint8Array, field: string): Value => {
  try {
    return decode(codec, bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw undecodable(field, error.message);
  }
};

/** The same for hexadecimal digits. */
export const decodeField = <Value>(codec: Codec<Value>, hex: string, field: string): Value => {
  const bytes = parseHex(hex);
  if (!bytes) throw undecodable(field, 'not hexadecimal');
  return decodeBytesField(codec, bytes, field);
};

/** `prefix` names the object that holds the destinations: `sources[2].`. */
export const readDestinations = (items: readonly DestinationItem[], prefix = ''): Destination[] =>
  items.map((item, index) => ({
    lockupScript: decodeField(
      assetLockupScriptCodec,
      item.lockupScript,
      `${prefix}destinations[${index}].lockupScript`,
    ),
    amount: BigInt(item.amount),
    tokens: item.tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) })),
    lockTime: item.lockTime === undefined ? undefined : BigInt(item.lockTime),
    message: item.message === undefined ? undefined : hexToBytes(item.message),
  }));

/** The sender, whose outputs must belong to this group. Throws `invalid-request`. */
export const readSender = (
  { state: { settings, group } }: { readonly state: { readonly settings: NetworkSettings; readonly group: number } },
  scripts: { readonly lockupScript: string; readonly unlockScript: string },
  prefix = '',
): Sender => {
  const lockupScript = decodeField(assetLockupScriptCodec, scripts.lockupScript, `${prefix}lockupScript`);
  const owner = groupOfLockupScript(lockupScript, settings.groups);
  if (owner !== group) {
    throw serviceError('NotThisGroup', `the sender belongs to group ${owner}`, { group: owner });
  }
  return { lockupScript, unlockScript: decodeField(unlockScriptCodec, scripts.unlockScript, `${prefix}unlockScript`) };
};

/** attoCoin per unit of gas. */
export const readGasPrice = (gasPrice: string | undefined): bigint =>
  gasPrice === undefined ? minGasPrice : BigInt(gasPrice);
