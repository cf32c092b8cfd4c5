import { ServiceError } from '@shardnode/core/errors';
import { addressOf, p2pkhOf, walletKeys, type WalletKey } from '@shardnode/protocol/address';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { sign } from '@shardnode/protocol/crypto';

/** A key of a wallet and what belongs to it; the private key stays inside `UnlockedWallet`. */
export interface WalletAddress {
  readonly index: number;
  readonly address: string;
  readonly lockupScript: AssetLockupScript;
  /** 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly group: number;
  readonly path: string;
}

/** The keys of an unlocked wallet, in memory only (architecture, decision 12). */
export class UnlockedWallet {
  private readonly keyAt: (index: number) => WalletKey;
  private readonly keys: WalletKey[] = [];
  readonly addresses: WalletAddress[] = [];

  constructor(
    seed: Uint8Array,
    private readonly groups: number,
    addressCount: number,
    public activeIndex: number,
  ) {
    this.keyAt = walletKeys(seed);
    seed.fill(0);
    for (let index = 0; index < addressCount; index++) this.deriveNext();
  }

  get active(): WalletAddress {
    return this.addresses[this.activeIndex]!;
  }

  /** Derives and keeps the key after the last one; it does not become active. */
  deriveNext(): WalletAddress {
    const index = this.addresses.length;
    const key = this.keyAt(index);
    const lockupScript = p2pkhOf(key.publicKey);
    const group = groupOfLockupScript(lockupScript, this.groups);
    const address: WalletAddress = {
      index,
      address: addressOf(lockupScript),
      lockupScript,
      publicKey: key.publicKey,
      group,
      path: key.path,
    };
    this.keys.push(key);
    this.addresses.push(address);
    return address;
  }

  /** 64-byte signature over the 32 bytes by the key of that index (protocol 07 §3.6). Throws when locked meanwhile. */
  sign(index: number, message: Uint8Array): Uint8Array {
    const key = this.keys[index];
    if (!key) throw new ServiceError('unauthorized', 'WalletLocked', 'Wallet is locked');
    return sign(message, key.privateKey);
  }

  /** Wipes the private keys. */
  forget(): void {
    for (const { privateKey } of this.keys) privateKey.fill(0);
    this.keys.length = 0;
  }
}
