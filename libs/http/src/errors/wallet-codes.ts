import { type walletErrorKinds } from '@shardnode/messages';
import { type RowsOf } from './error-row.js';

/** Refusals of the wallet-service (protocol 07 §3.4). */
export const walletCodes = {
  WalletLocked: {
    kind: 'unauthorized',
    meaning: 'unlock the wallet first',
    next: 'POST /wallets/{wallet_name}/unlock',
  },
  WalletNotFound: { kind: 'not-found', meaning: 'no such wallet', fields: ['wallet_name'], next: 'GET /wallets' },
  WalletExists: {
    kind: 'conflict',
    meaning:
      'the name is in use: unlock that wallet, or choose another name. With its own mnemonic `PUT /wallets` sets a new password; another mnemonic or passphrase, or another kind than the given `isMiner`, is refused',
    fields: ['walletName'],
    next: { 'POST /wallets': 'POST /wallets/{walletName}/unlock', otherwise: 'GET /wallets' },
  },
  InvalidWalletName: {
    kind: 'invalid-request',
    meaning: 'a name has 1 to 128 letters, digits, `_` and `-`',
    fields: ['walletName'],
  },
  InvalidPassword: {
    kind: 'unauthorized',
    meaning: 'the password is wrong; if it is forgotten, `PUT /wallets` with the mnemonic sets a new one',
    fields: ['password'],
  },
  InvalidPassphrase: {
    kind: 'unauthorized',
    meaning: 'the passphrase of the mnemonic is wrong, missing, or not wanted',
    fields: ['mnemonicPassphrase'],
  },
  TooManyWrongPasswords: {
    kind: 'throttled',
    meaning: 'after wrong passwords no password is tried for a while: wait as long as `Retry-After` says',
  },
  TooManyPasswordChecks: {
    kind: 'throttled',
    meaning: 'too many passwords of all wallets are being checked: wait as long as `Retry-After` says',
  },
  MinerWalletNeeded: {
    kind: 'unauthorized',
    meaning: 'the call is for miner wallets and this is none, or the other way round',
    fields: ['wallet_name'],
    next: 'GET /wallets/{wallet_name}/addresses',
  },
  UnknownAddress: {
    kind: 'invalid-request',
    meaning: 'the address is not one of the wallet',
    fields: ['address'],
    next: 'GET /wallets/{wallet_name}/addresses',
  },
  InvalidMnemonic: {
    kind: 'invalid-request',
    meaning: 'a word is not in the list, or the checksum is wrong',
    fields: ['mnemonic'],
  },
  InvalidMnemonicSize: {
    kind: 'invalid-request',
    meaning: 'a mnemonic has 12, 15, 18, 21 or 24 words',
    fields: ['mnemonicSize'],
  },
  InvalidData: { kind: 'invalid-request', meaning: 'exactly 32 bytes are signed', fields: ['data'] },
  InvalidWalletRecord: {
    kind: 'broken',
    meaning: 'the stored wallet cannot be read: its mnemonic restores it',
    next: 'PUT /wallets',
  },
  BuiltTransactionDiffers: {
    kind: 'broken',
    meaning:
      'a group-node built another transaction than was asked for, or named another id for it: nothing was signed or sent, and there is nothing to sign. Whoever runs the network must look at that group-node',
  },
} as const satisfies RowsOf<typeof walletErrorKinds>;
