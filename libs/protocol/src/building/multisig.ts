import { blake2bHash } from '../crypto/index.js';
import { bytesToHex } from '../encoding/index.js';
import { type LockupScript } from '../primitives/index.js';
import { type UnlockScript } from '../transaction/index.js';
import { buildOutcome, refusalOf, type BuildOutcome } from './build-refusal.js';
import { type UnminablePolicy } from './minable.js';

/**
 * The unlock script of a multisig sender for the signers' public keys (33 bytes each), in the order of the address
 * (protocol 02 §5). Repeated or reordered keys, which could never be mined, are refused by default (00-decisions, 26).
 */
export const multisigUnlockScript = (
  lockup: LockupScript,
  publicKeys: readonly Uint8Array[],
  policy: UnminablePolicy = 'refuse',
): BuildOutcome<UnlockScript> =>
  buildOutcome(() => {
    if (lockup.kind !== 'p2mpkh')
      throw refusalOf('InvalidLockupScript', 'The sender is no multisig address.', { field: 'fromAddress' });
    const { length } = publicKeys;
    if (length !== lockup.m) {
      throw refusalOf(
        'InvalidPublicKeyNumber',
        `Of the ${lockup.publicKeyHashes.length} keys of this address exactly ${lockup.m} sign, but ${length} ${length === 1 ? 'is' : 'are'} given.`,
        { found: length, expected: lockup.m, field: 'fromPublicKeys' },
      );
    }
    const keys = publicKeys.map((publicKey, i) => {
      const index = lockup.publicKeyHashes.indexOf(blake2bHash(publicKey));
      const place = `fromPublicKeys[${i}]`;
      if (index < 0)
        throw refusalOf(
          'InvalidPublicKey',
          `${place} is none of the ${lockup.publicKeyHashes.length} keys of this address.`,
          {
            publicKey: bytesToHex(publicKey),
            field: place,
          },
        );
      return { publicKey, index };
    });
    const late = keys.findIndex(({ index }, i) => i > 0 && index <= keys[i - 1]!.index);
    if (policy === 'refuse' && late > 0) {
      const isRepeated = keys[late]!.index === keys[late - 1]!.index;
      throw refusalOf(
        'InvalidPublicKeyOrder',
        `fromPublicKeys[${late}] ${isRepeated ? 'is the same as' : 'comes before'} fromPublicKeys[${late - 1}]${isRepeated ? '' : ' in the address'}: give different keys, in the order in which the address was made of them.`,
        { field: `fromPublicKeys[${late}]` },
      );
    }
    return { kind: 'p2mpkh', keys };
  });
