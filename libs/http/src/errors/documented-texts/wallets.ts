import { type ErrorCode } from '../error-codes.js';
import { type DocumentedText, textOf } from './documented-text.js';

/** Wallets (protocol 07 §1.5, §3.4). */
export const walletsTexts: Partial<Record<ErrorCode, DocumentedText>> = {
  WalletNotFound: textOf('{walletName} not found'),
  WalletLocked: textOf('Wallet is locked'),
  InvalidWalletName: textOf('Invalid wallet name: {walletName}'),
  InvalidPassword: textOf('Invalid password'),
  InvalidPassphrase: textOf('Invalid mnemonic passphrase'),
  MinerWalletNeeded: textOf('Miner wallet is needed'),
  UnknownAddress: textOf('Unknown address: {address}'),
  // A reference node does not check the checksum, so it has no text for it.
  InvalidMnemonic: ({ isChecksum }) =>
    `Cannot validate mnemonic${isChecksum === true ? ': its checksum is wrong' : ''}`,
  InvalidMnemonicSize: textOf('Invalid mnemonic size: {mnemonicSize}, expected: 12, 15, 18, 21, 24'),
  InvalidWalletRecord: textOf('Invalid wallet file'),
};
