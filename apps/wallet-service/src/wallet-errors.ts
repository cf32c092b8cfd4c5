import { ServiceError } from '@shardnode/core/errors';

/** The refusals of protocol 07 §3.4. No text of them holds a secret. */
export const walletNotFound = (name: string): ServiceError =>
  new ServiceError('not-found', 'WalletNotFound', `${name} not found`, { resource: name });

export const walletLocked = (): ServiceError => new ServiceError('unauthorized', 'WalletLocked', 'Wallet is locked');

export const minerWalletNeeded = (): ServiceError =>
  new ServiceError('unauthorized', 'MinerWalletNeeded', 'Miner wallet is needed');

const conflict = (name: string, text: string, field = 'walletName'): ServiceError =>
  new ServiceError('conflict', 'WalletExists', `The wallet ${name} ${text}`, { field });

export const walletExists = (name: string): ServiceError =>
  conflict(
    name,
    'exists: unlock it, or choose another name. PUT /wallets with its mnemonic sets a new password if the old one is forgotten',
  );

/** The mnemonic of a restore is not the one of the wallet that has the name. */
export const anotherWallet = (name: string): ServiceError =>
  conflict(
    name,
    'exists and has another mnemonic or another mnemonic passphrase. Check both, or restore under another name',
  );

/** Whether the mnemonic of a restore is the wallet's own cannot be told. */
export const noFingerprint = (name: string): ServiceError =>
  conflict(
    name,
    'exists, and its record is too old to tell whether the mnemonic is its own. Unlock it once, or restore under another name',
  );

export const anotherKind = (name: string, isMiner: boolean): ServiceError =>
  conflict(
    name,
    `exists and is ${isMiner ? 'a' : 'not a'} miner wallet. Leave isMiner out, or set it to ${isMiner}`,
    'isMiner',
  );

export const invalidWalletName = (name: string): ServiceError =>
  new ServiceError('invalid-request', 'InvalidWalletName', `Invalid wallet name: ${name}`, { field: 'walletName' });

export const invalidPassword = (): ServiceError =>
  new ServiceError('unauthorized', 'InvalidPassword', 'Invalid password');

export const invalidPassphrase = (): ServiceError =>
  new ServiceError('unauthorized', 'InvalidPassphrase', 'Invalid mnemonic passphrase');

export const unknownAddress = (address: string): ServiceError =>
  new ServiceError('invalid-request', 'UnknownAddress', `Unknown address: ${address}`, { field: 'address' });

/** The words are not repeated: they may be nearly right. */
export const invalidMnemonic = (why = ''): ServiceError =>
  new ServiceError('invalid-request', 'InvalidMnemonic', `Cannot validate mnemonic${why}`, { field: 'mnemonic' });
