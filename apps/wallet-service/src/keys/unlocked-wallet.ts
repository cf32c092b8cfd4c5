import { addressOf, p2pkhOf, walletKeys, type WalletKey, type WalletKeys } from '@shardnode/protocol/address';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { sign } from '@shardnode/protocol/crypto';
import { unknownAddress, walletLocked } from '../wallet-errors.js';
import { completeSets } from './miner-sets.js';

/** A key of a wallet with its address; the private key stays inside `UnlockedWallet`. */
export interface WalletAddress {
  readonly index: number;
  readonly address: string;
  readonly lockupScript: AssetLockupScript;
  /** 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly group: number;
  readonly path: string;
}

/** Fields of the wallet table about the addresses of a wallet. */
export interface WalletShape {
  readonly isMiner: boolean;
  readonly addressCount: number;
  readonly activeIndex: number;
}

/** Half a millisecond each: after so many keys it yields to the event loop. */
const keysPerTick = 16;

/** The keys of an unlocked wallet, in memory only (architecture, decision 12). */
export class UnlockedWallet {
  private tree: WalletKeys | undefined;
  private readonly keys: WalletKey[] = [];
  private readonly derived: WalletAddress[] = [];
  private activeIndex = 0;

  private constructor(
    seed: Uint8Array,
    private readonly groups: number,
    readonly isMiner: boolean,
  ) {
    this.tree = walletKeys(seed);
    seed.fill(0);
    this.derive();
  }

  /**
   * A new wallet with its first address; a miner wallet with an address in every group, the last one active (protocol
   * 07 §3.5).
   */
  static create(seed: Uint8Array, groups: number, isMiner: boolean): UnlockedWallet {
    const wallet = new UnlockedWallet(seed, groups, isMiner);
    while (isMiner && wallet.minerSets.length === 0) wallet.derive();
    wallet.activeIndex = wallet.derived.length - 1;
    return wallet;
  }

  /** A stored wallet. The seed (64 bytes) is wiped. */
  static async open(seed: Uint8Array, groups: number, shape: WalletShape): Promise<UnlockedWallet> {
    const wallet = new UnlockedWallet(seed, groups, shape.isMiner);
    while (wallet.derived.length < shape.addressCount) {
      wallet.derive();
      if (wallet.derived.length % keysPerTick === 0) await new Promise(setImmediate);
    }
    wallet.activeIndex = shape.activeIndex;
    return wallet;
  }

  get active(): WalletAddress {
    return this.derived[this.activeIndex]!;
  }

  /**
   * All addresses in the order of their indexes; of a miner wallet those of its complete sets, set after set (protocol
   * 07 §3.5).
   */
  get addresses(): readonly WalletAddress[] {
    return this.isMiner ? this.minerSets.flat() : this.derived;
  }

  /** An address of each group, in the order of the groups, per set. */
  get minerSets(): readonly (readonly WalletAddress[])[] {
    return completeSets(this.derived, this.groups);
  }

  get shape(): WalletShape {
    return { isMiner: this.isMiner, addressCount: this.derived.length, activeIndex: this.activeIndex };
  }

  /** Throws `UnknownAddress`. */
  find(address: string): WalletAddress {
    const found = this.derived.find((one) => one.address === address);
    if (!found) throw unknownAddress(address, this.addresses.length);
    return found;
  }

  /** Derives until an address of the group appears; without a group, the next one. None becomes active. */
  deriveNext(group: number | undefined): WalletAddress {
    let next = this.derive();
    while (group !== undefined && next.group !== group) next = this.derive();
    return next;
  }

  /** Derives until every group has one address more than the smallest had: the new set. None becomes active. */
  deriveNextMinerSet(): readonly WalletAddress[] {
    const next = this.minerSets.length;
    while (this.minerSets.length <= next) this.derive();
    return this.minerSets[next]!;
  }

  activate({ index }: WalletAddress): void {
    this.activeIndex = index;
  }

  /** Removes addresses derived since then that could not be stored. */
  restoreShape({ addressCount, activeIndex }: WalletShape): void {
    for (const { privateKey } of this.keys.splice(addressCount)) privateKey.fill(0);
    this.derived.splice(addressCount);
    this.activeIndex = activeIndex;
  }

  /** 64-byte signature of 32 bytes with the key of that index (protocol 07 §3.6). Throws `WalletLocked`. */
  sign(index: number, message: Uint8Array): Uint8Array {
    const key = this.keys[index];
    if (!key) throw walletLocked();
    return sign(message, key.privateKey);
  }

  /** Wipes the private keys, and that from which they are derived; nothing can be derived or signed afterwards. */
  forget(): void {
    this.tree?.wipe();
    this.tree = undefined;
    for (const { privateKey } of this.keys) privateKey.fill(0);
    this.keys.length = 0;
  }

  private derive(): WalletAddress {
    if (!this.tree) throw walletLocked();
    const index = this.derived.length;
    const key = this.tree.at(index);
    const lockupScript = p2pkhOf(key.publicKey);
    const address: WalletAddress = {
      index,
      address: addressOf(lockupScript),
      lockupScript,
      publicKey: key.publicKey,
      group: groupOfLockupScript(lockupScript, this.groups),
      path: key.path,
    };
    this.keys.push(key);
    this.derived.push(address);
    return address;
  }
}
