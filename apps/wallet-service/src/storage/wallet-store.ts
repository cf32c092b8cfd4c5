import { type FailureStore } from '../keys/password-guard.js';
import { type WalletShape } from '../keys/unlocked-wallet.js';

/** Derived keys have the indexes 0 to `addressCount` - 1. */
export interface WalletRow extends WalletShape {
  readonly name: string;
  /** With a random salt: no two have the same one, of whatever names and passwords. */
  readonly secret: Uint8Array;
  /** Tells whether a mnemonic is the wallet's own: `fingerprintOf`. Not there in records of before, until they are unlocked. */
  readonly fingerprint?: Uint8Array | undefined;
}

/** Where wallets are kept, each change of one whole or not at all. */
export interface WalletStore extends FailureStore {
  /** False when a wallet of that name exists. */
  insert(row: WalletRow): Promise<boolean>;
  find(name: string): Promise<WalletRow | undefined>;
  /** Sorted by name, byte by byte. */
  names(): Promise<string[]>;
  /** A wallet that is not there stays so. */
  setAddresses(name: string, shape: WalletShape): Promise<void>;
  /** A wallet that is not there stays so. */
  setFingerprint(name: string, fingerprint: Uint8Array): Promise<void>;
  /** The same wallet under another password, with no wrong passwords counted; all else stays. False when its secret is another one. */
  replaceSecret(row: WalletRow, secret: Uint8Array): Promise<boolean>;
  /** Deletes this wallet, never a later one of the same name. False when it is not there any more. */
  delete(row: WalletRow): Promise<boolean>;
}
