import { blake2bHash } from '../crypto/index.js';
import { bytesToHex } from '../encoding/index.js';
import { type LockupScript } from '../primitives/index.js';
import { type UnlockScript } from '../transaction/index.js';
import { buildOutcome, BuildRefusal, type BuildOutcome } from './build-refusal.js';
import { type UnminablePolicy } from './minable.js';

/**
 * The unlock script of a multisig sender for the signers' public keys (33 bytes each), in the order in which the
 * address was made (protocol 02 §5). Repeated or reordered keys, which could never be mined, are refused by default
 * (00-decisions, 26).
 */
export const multisigUnlockScript = (
  lockup: LockupScript,
  publicKeys: readonly Uint8Array[],
  policy: UnminablePolicy = 'refuse',
): BuildOutcome<UnlockScript> =>
  buildOutcome(() => {
    if (lockup.kind !== 'p2mpkh') throw new BuildRefusal('InvalidLockupScript', 'Invalid lockup script');
    if (publicKeys.length !== lockup.m) {
      throw new BuildRefusal(
        'InvalidPublicKeyNumber',
        `Invalid public key number. Expected ${lockup.m}, got ${publicKeys.length}`,
      );
    }
    const keys = publicKeys.map((publicKey) => {
      const index = lockup.publicKeyHashes.indexOf(blake2bHash(publicKey));
      if (index < 0) throw new BuildRefusal('InvalidPublicKey', `Invalid public key: ${bytesToHex(publicKey)}`);
      return { publicKey, index };
    });
    if (policy === 'refuse' && keys.some(({ index }, i) => i > 0 && index <= keys[i - 1]!.index)) {
      throw new BuildRefusal(
        'InvalidPublicKeyOrder',
        'Public keys must be different and in the order in which the multisig address was created',
      );
    }
    return { kind: 'p2mpkh', keys };
  });
