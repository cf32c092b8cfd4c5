import { type FailureStore } from '../keys/password-guard.js';
import { type WalletShape } from '../keys/unlocked-wallet.js';

/** Derived keys have the indexes 0 to `addressCount` - 1. */
export interface WalletRow extends WalletShape {
  readonly name: string;
  /** Written once, with a random salt: no two wallets have the same one, of whatever names. */
  readonly secret: Uint8Array;
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
  /** Deletes this wallet, never a later one of the same name. False when it is not there any more. */
  delete(row: WalletRow): Promise<boolean>;
}
