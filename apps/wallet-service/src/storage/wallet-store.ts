import { type PasswordTries, type PasswordTriesStore } from '../keys/password-guard.js';
import { type WalletShape } from '../keys/unlocked-wallet.js';

/** Derived keys have the indexes 0 to `addressCount` - 1. */
export interface WalletRow extends WalletShape {
  readonly name: string;
  /** Encrypted with a random salt, so that no two are equal, whatever their names and passwords. */
  readonly secret: Uint8Array;
  /** Identifies the wallet's own mnemonic: `fingerprintOf`. Absent in old records until they are unlocked. */
  readonly fingerprint?: Uint8Array | undefined;
}

/** Store of wallets; each change is atomic. */
export interface WalletStore extends PasswordTriesStore {
  /** False when a wallet of that name exists. */
  insert(row: WalletRow, tries: PasswordTries): Promise<boolean>;
  find(name: string): Promise<WalletRow | undefined>;
  /** Sorted by name, byte by byte. */
  names(): Promise<string[]>;
  /** Does nothing for an absent wallet. */
  setAddresses(name: string, shape: WalletShape): Promise<void>;
  /** Does nothing for an absent wallet. */
  setFingerprint(name: string, fingerprint: Uint8Array): Promise<void>;
  /**
   * Sets another password of the same wallet, with the tries on it; all else stays. False when the stored secret has
   * changed.
   */
  replaceSecret(row: WalletRow, secret: Uint8Array, tries: PasswordTries): Promise<boolean>;
  /** Deletes this wallet, never a later one of the same name. False when it is gone already. */
  delete(row: WalletRow): Promise<boolean>;
}
