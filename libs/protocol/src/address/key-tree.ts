import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { addScalars, isPrivateKey, publicKeyOf, secretBytes } from '../crypto/index.js';

/** A key pair of the tree and its path, e.g. `m/44'/1234'/0'/0/5` (protocol 01 §9.3). */
export interface WalletKey {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** 33 bytes, compressed. */
  readonly publicKey: Uint8Array;
  readonly path: string;
}

/** A node of the tree: its key and the chain code for its children. */
export interface KeyNode extends WalletKey {
  /** 32 bytes. */
  readonly chainCode: Uint8Array;
}

/** One account, one change level (protocol 01 §9.3). */
const walletPath = "m/44'/1234'/0'/0";

/** No key at this index; indexes are not skipped (protocol 01 §9.3). One in 2^127. */
class CannotDeriveKey extends Error {
  constructor(readonly path: string) {
    super(`cannot derive key ${path}`);
    this.name = 'CannotDeriveKey';
  }
}

const hardened = 0x8000_0000;
const masterSecret = utf8ToBytes('Bitcoin seed');

/** HMAC-SHA512 of BIP-32, 64 bytes: a key or what is added to one, and a chain code. */
const hmacOf = (key: Uint8Array, data: Uint8Array): { readonly left: Uint8Array; readonly chainCode: Uint8Array } => {
  const [whole, left, chainCode] = [secretBytes(64), secretBytes(32), secretBytes(32)];
  hmac.create(sha512, key).update(data).digestInto(whole);
  left.set(whole.subarray(0, 32));
  chainCode.set(whole.subarray(32));
  whole.fill(0);
  return { left, chainCode };
};

const wipe = ({ privateKey, chainCode }: KeyNode): void => {
  privateKey.fill(0);
  chainCode.fill(0);
};

const masterOf = (seed: Uint8Array): KeyNode => {
  if (seed.length < 16 || seed.length > 64) throw new RangeError(`a seed of ${seed.length} bytes: expected 16 to 64`);
  const { left: privateKey, chainCode } = hmacOf(masterSecret, seed);
  if (!isPrivateKey(privateKey)) throw new CannotDeriveKey('m');
  return { privateKey, publicKey: publicKeyOf(privateKey), chainCode, path: 'm' };
};

/** The index of a step such as `44'`: the apostrophe makes it a hardened one. */
const indexOf = (step: string, path: string): number => {
  const number = /^([0-9]+)('?)$/.exec(step);
  if (!number || Number(number[1]) >= hardened) throw new RangeError(`invalid key path ${path}`);
  return Number(number[1]) + (number[2] === '' ? 0 : hardened);
};

/** Input of the derivation of the child, 37 bytes: the key (its public half unless hardened) and the index. */
const childData = ({ privateKey, publicKey }: KeyNode, index: number): Uint8Array => {
  const data = secretBytes(37);
  if (index >= hardened) data.set(privateKey, 1);
  else data.set(publicKey, 0);
  new DataView(data.buffer).setUint32(33, index);
  return data;
};

const childOf = (parent: KeyNode, step: string): KeyNode => {
  const path = `${parent.path}/${step}`;
  const data = childData(parent, indexOf(step, path));
  const { left, chainCode } = hmacOf(parent.chainCode, data);
  data.fill(0);
  const privateKey = secretBytes(32);
  // The left half may be 0: only the sum must not be.
  const exists =
    (isPrivateKey(left) || left.every((byte) => byte === 0)) && addScalars(left, parent.privateKey, privateKey);
  left.fill(0);
  if (!exists) throw new CannotDeriveKey(path);
  return { privateKey, publicKey: publicKeyOf(privateKey), chainCode, path };
};

/**
 * The node of a seed (16 to 64 bytes) at a path such as `m/0'/1` (protocol 01 §9.3); the nodes on the way are wiped.
 * Throws RangeError for a malformed path, CannotDeriveKey if the key does not exist.
 */
export const deriveKey = (seed: Uint8Array, path: string): KeyNode => {
  const [root, ...steps] = path.split('/');
  if (root !== 'm') throw new RangeError(`invalid key path ${path}`);
  return steps.reduce((node, step) => {
    try {
      return childOf(node, step);
    } finally {
      wipe(node);
    }
  }, masterOf(seed));
};

/** The keys of a wallet by index, sharing the work of the common path. */
export interface WalletKeys {
  /** The caller wipes the private key. Throws CannotDeriveKey as `deriveKey`. */
  at(index: number): WalletKey;
  /** Wipes the node from which keys are derived: none can be derived afterwards. */
  wipe(): void;
}

/** The keys of the wallet of a seed (16 to 64 bytes). */
export const walletKeys = (seed: Uint8Array): WalletKeys => {
  let parent: KeyNode | undefined = deriveKey(seed, walletPath);
  return {
    at: (index) => {
      if (!parent) throw new Error('the keys of this wallet are wiped');
      const { privateKey, publicKey, chainCode, path } = childOf(parent, String(index));
      chainCode.fill(0);
      return { privateKey, publicKey, path };
    },
    wipe: () => {
      if (parent) wipe(parent);
      parent = undefined;
    },
  };
};

/** Key number `index` of a wallet: `m/44'/1234'/0'/0/<index>` (protocol 01 §9.3). */
export const deriveWalletKey = (seed: Uint8Array, index: number): WalletKey => {
  const keys = walletKeys(seed);
  try {
    return keys.at(index);
  } finally {
    keys.wipe();
  }
};
