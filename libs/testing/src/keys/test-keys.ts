import { addressOf, p2pkhOf } from '@shardnode/protocol/address';
import { blake2b, publicKeyOf } from '@shardnode/protocol/crypto';
import { type AssetLockupScript, groupOfLockupScript } from '@shardnode/protocol/primitives';

/** A key pair with its single-signature address. */
export interface TestKey {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly lockupScript: AssetLockupScript;
  readonly address: string;
  readonly group: number;
}

/** The key pair of a private key (32 bytes). */
export const testKeyOf = (privateKey: Uint8Array, groups = 4): TestKey => {
  const publicKey = publicKeyOf(privateKey);
  const lockupScript = p2pkhOf(publicKey);
  const group = groupOfLockupScript(lockupScript, groups);
  return { privateKey, publicKey, lockupScript, address: addressOf(lockupScript), group };
};

/** Key number `index` of a fixed sequence, in whatever group it falls. */
export const testKey = (index: number, groups = 4): TestKey =>
  testKeyOf(blake2b(new TextEncoder().encode(`test key ${index}`)), groups);

/** The first `count` keys of the sequence that fall in a group; the same ones on every machine. */
export const testKeysOfGroup = (group: number, count: number, groups = 4): TestKey[] => {
  const found: TestKey[] = [];
  for (let index = 0; found.length < count; index++) {
    const key = testKey(index, groups);
    if (key.group === group) found.push(key);
  }
  return found;
};

/** The first key of the sequence in a group. */
export const testKeyOfGroup = (group: number, groups = 4): TestKey => testKeysOfGroup(group, 1, groups)[0]!;
