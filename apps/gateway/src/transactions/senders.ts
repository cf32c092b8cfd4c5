import { p2pkhOf } from '@shardnode/protocol/address';
import { type UnminablePolicy } from '@shardnode/protocol/building';
import { isPublicKey } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { statelessScriptCodec, statelessScriptHash } from '@shardnode/protocol/script';
import { unlockScriptCodec, type UnlockScript } from '@shardnode/protocol/transaction';
import { errorOf, scriptHex } from '@shardnode/http';
import { type ApiSettings } from '../settings/api-settings.js';

/** The sender of a transfer in the form of bus messages. */
export interface Sender {
  readonly group: number;
  readonly lockupScript: string;
  readonly unlockScript: string;
}

type KeyKind = 'default' | 'bip340-schnorr';

interface Scripts {
  readonly lockupScript: AssetLockupScript;
  readonly unlockScript: UnlockScript;
}

export const senderOf = (lockupScript: AssetLockupScript, unlockScript: UnlockScript, groups: number): Sender => ({
  group: groupOfLockupScript(lockupScript, groups),
  lockupScript: scriptHex(lockupScript),
  unlockScript: bytesToHex(encode(unlockScriptCodec, unlockScript)),
});

/** One method that verifies a BIP340 signature of the transaction id by the key in it (protocol 07 §8.1). */
const schnorrScript = (publicKey: string): Uint8Array => hexToBytes(`0101000000000458144020${publicKey}8685`);

/** Kinds of public keys, with the names of the documented texts (protocol 07 §8.1), and their bytes. */
const kinds = {
  default: { name: 'SecP256K1', bytes: 33 },
  'bip340-schnorr': { name: 'BIP340Schnorr', bytes: 32 },
} as const;

/** A key of 32 bytes is the point with an even y. */
const evenPrefix = 2;
const isPoint = (key: Uint8Array, kind: KeyKind): boolean =>
  isPublicKey(kind === 'default' ? key : Uint8Array.of(evenPrefix, ...key));

const readKey = (publicKey: string, kind: KeyKind, field: string, policy: UnminablePolicy): Uint8Array => {
  const { name, bytes } = kinds[kind];
  if (publicKey.length !== 2 * bytes) {
    throw errorOf(
      'InvalidPublicKey',
      `${field}: a public key of kind ${kind} has ${bytes} bytes, ${2 * bytes} hexadecimal digits; received ${publicKey.length} digits.`,
      { kind: name, publicKey, field },
    );
  }
  const key = hexToBytes(publicKey);
  if (policy === 'refuse') checkPoint(key, field, kind);
  return key;
};

/**
 * Checks that a key is a point of the curve: otherwise its coins could never be spent (00-decisions, 26).
 * @throws ServiceError `InvalidPublicKey`, which names the field
 */
export const checkPoint = (key: Uint8Array, field: string, kind: KeyKind = 'default'): void => {
  if (isPoint(key, kind)) return;
  throw errorOf('InvalidPublicKey', `${field}: this is no public key, because it is no point of the curve secp256k1.`, {
    field,
  });
};

/**
 * The scripts of the sender with this public key (hexadecimal) in that field of the request.
 * @throws ServiceError `InvalidPublicKey` for a key of another length than its kind, or, unless `policy` accepts it,
 * for one that is no point of the curve
 */
export const scriptsOfKey = (
  publicKey: string,
  kind: KeyKind,
  policy: UnminablePolicy,
  field = 'fromPublicKey',
): Scripts => {
  const key = readKey(publicKey, kind, field, policy);
  if (kind === 'default') return { lockupScript: p2pkhOf(key), unlockScript: { kind: 'p2pkh', publicKey: key } };
  const script = decode(statelessScriptCodec, schnorrScript(publicKey));
  return {
    lockupScript: { kind: 'p2sh', scriptHash: statelessScriptHash(script) },
    unlockScript: { kind: 'p2sh', script, parameters: [] },
  };
};

/**
 * The sender with this public key (hexadecimal).
 * @throws ServiceError as `scriptsOfKey`
 */
export const senderOfKey = (
  publicKey: string,
  kind: KeyKind,
  { network: { groups }, profile: { unminable } }: Pick<ApiSettings, 'network' | 'profile'>,
): Sender => {
  const { lockupScript, unlockScript } = scriptsOfKey(publicKey, kind, unminable);
  return senderOf(lockupScript, unlockScript, groups);
};
