import { HDKey } from '@scure/bip32';

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

/**
 * The child of this path step. If it does not exist, the library skips to the next index; the protocol forbids that.
 */
const childOf = (node: HDKey, step: string, path: string): HDKey => {
  const number = /^([0-9]+)('?)$/.exec(step);
  if (!number || Number(number[1]) >= hardened) throw new RangeError(`invalid key path ${path}`);
  const index = Number(number[1]) + (number[2] === '' ? 0 : hardened);
  const child = node.deriveChild(index);
  if (child.index !== index) throw new CannotDeriveKey(path);
  return child;
};

const nodeAt = (seed: Uint8Array, path: string): HDKey => {
  const [root, ...steps] = path.split('/');
  if (root !== 'm') throw new RangeError(`invalid key path ${path}`);
  return steps.reduce((node, step) => childOf(node, step, path), HDKey.fromMasterSeed(seed));
};

const asKeyNode = (node: HDKey, path: string): KeyNode => {
  if (!node.privateKey || !node.publicKey || !node.chainCode) throw new CannotDeriveKey(path);
  return { privateKey: node.privateKey, publicKey: node.publicKey, chainCode: node.chainCode, path };
};

/**
 * The node of a seed (16 to 64 bytes) at a path such as `m/0'/1` (protocol 01 §9.3). Throws RangeError for a malformed
 * path, CannotDeriveKey if the key does not exist.
 */
export const deriveKey = (seed: Uint8Array, path: string): KeyNode => asKeyNode(nodeAt(seed, path), path);

/** The keys of a wallet by index, sharing the work of the common path. Calls throw CannotDeriveKey as `deriveKey`. */
export const walletKeys = (seed: Uint8Array): ((index: number) => WalletKey) => {
  const parent = nodeAt(seed, walletPath);
  return (index) => {
    const path = `${walletPath}/${index}`;
    const { privateKey, publicKey } = asKeyNode(childOf(parent, String(index), path), path);
    return { privateKey, publicKey, path };
  };
};

/** Key number `index` of a wallet: `m/44'/1234'/0'/0/<index>` (protocol 01 §9.3). */
export const deriveWalletKey = (seed: Uint8Array, index: number): WalletKey => walletKeys(seed)(index);
