import { RecentMap } from '@shardnode/core/cache';
import { type ServiceError } from '@shardnode/core/errors';
import { p2pkhOf } from '@shardnode/protocol/address';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { statelessScriptCodec, statelessScriptHash } from '@shardnode/protocol/script';
import { unlockScriptCodec, type UnlockScript } from '@shardnode/protocol/transaction';
import { errorOf, scriptHex } from '@shardnode/http';

/** The sender of a transfer, as services tell it to each other. */
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

const invalidKey = (kind: string, publicKey: string, field: string): ServiceError =>
  errorOf('InvalidPublicKey', `Invalid ${kind} public key: ${publicKey}`, { field });

/**
 * The scripts of the sender with this public key (hexadecimal), which stands in that field of the request.
 * @throws ServiceError `InvalidPublicKey` for a key of another length than its kind
 */
export const scriptsOfKey = (publicKey: string, kind: KeyKind, field = 'fromPublicKey'): Scripts => {
  if (kind === 'default') {
    if (publicKey.length !== 66) throw invalidKey('SecP256K1', publicKey, field);
    const bytes = hexToBytes(publicKey);
    return { lockupScript: p2pkhOf(bytes), unlockScript: { kind: 'p2pkh', publicKey: bytes } };
  }
  if (publicKey.length !== 64) throw invalidKey('BIP340Schnorr', publicKey, field);
  const script = decode(statelessScriptCodec, schnorrScript(publicKey));
  return {
    lockupScript: { kind: 'p2sh', scriptHash: statelessScriptHash(script) },
    unlockScript: { kind: 'p2sh', script, parameters: [] },
  };
};

/** A hot wallet builds again and again with the same keys: what follows from a public key is remembered. */
const recentSenders = new RecentMap<string, Sender>(10_000);

/**
 * The sender with this public key (hexadecimal).
 * @throws ServiceError `InvalidPublicKey` for a key of another length than its kind
 */
export const senderOfKey = (publicKey: string, kind: KeyKind, groups: number): Sender => {
  const name = `${kind} ${publicKey} ${groups}`;
  const known = recentSenders.get(name);
  if (known) return known;
  const { lockupScript, unlockScript } = scriptsOfKey(publicKey, kind);
  const sender = senderOf(lockupScript, unlockScript, groups);
  recentSenders.set(name, sender);
  return sender;
};
