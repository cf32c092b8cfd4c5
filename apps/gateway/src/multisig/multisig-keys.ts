import { errorOf } from '@shardnode/http';
import { multisigUnlockScript, type UnminablePolicy } from '@shardnode/protocol/building';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { checkPoint, type Sender, senderOf } from '../transactions/senders.js';
import { builtOrRefused } from '../transactions/unsigned-transaction.js';
import { type ApiSettings } from '../settings/api-settings.js';

/** An address with more keys can never sign a valid transaction (`TooManyKeysInMultisig`). */
const maxKeys = 16;

const checkPoints = (keys: readonly Uint8Array[], field: string, policy: UnminablePolicy): void => {
  if (policy === 'refuse') for (const [i, key] of keys.entries()) checkPoint(key, `${field}[${i}]`);
};

const checkDifferent = (keys: readonly Uint8Array[]): void => {
  const texts = keys.map(bytesToHex);
  const repeated = texts.findIndex((text, i) => texts.indexOf(text) < i);
  if (repeated < 0) return;
  throw errorOf(
    'InvalidMultisig',
    `keys[${repeated}] is the same as keys[${texts.indexOf(texts[repeated]!)}]: the keys of a multisig address are all different.`,
    { field: `keys[${repeated}]` },
  );
};

/**
 * Checks the keys of a new multisig address (protocol 07 §9.1).
 *
 * @param keys of 33 bytes each
 * @throws ServiceError `InvalidMultisig`; `InvalidPublicKey` for a key that is no point of the curve, unless `policy`
 * accepts it
 */
export const checkMultisig = (keys: readonly Uint8Array[], mrequired: number, policy: UnminablePolicy): void => {
  const { length } = keys;
  if (mrequired < 1 || mrequired > length)
    throw errorOf(
      'InvalidMultisig',
      `mrequired is ${mrequired}, but must be from 1 to ${length}, the number of keys.`,
      { of: 'mrequired' },
    );
  if (length > maxKeys)
    throw errorOf('InvalidMultisig', `keys: a multisig address has at most ${maxKeys} keys, got ${length}`, {
      field: 'keys',
    });
  checkDifferent(keys);
  checkPoints(keys, 'keys', policy);
};

/**
 * The sender with a multisig address whose keys, of 33 bytes each, will sign.
 *
 * @throws ServiceError `InvalidPublicKey` as `checkMultisig`; the refusal of keys that do not match this address
 */
export const multisigSender = (
  lockupScript: AssetLockupScript,
  fromPublicKeys: readonly Uint8Array[],
  { network: { groups }, profile: { unminable } }: Pick<ApiSettings, 'network' | 'profile'>,
): Sender => {
  checkPoints(fromPublicKeys, 'fromPublicKeys', unminable);
  return senderOf(lockupScript, builtOrRefused(multisigUnlockScript(lockupScript, fromPublicKeys, unminable)), groups);
};
