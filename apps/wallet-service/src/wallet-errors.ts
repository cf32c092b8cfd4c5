import { ServiceError } from '@shardnode/core/errors';

/** The refusals of protocol 07 §3.4. No text of them holds a secret. */
export const walletNotFound = (name: string): ServiceError =>
  new ServiceError('not-found', 'WalletNotFound', `${name} not found`, { resource: name });

export const walletLocked = (): ServiceError => new ServiceError('unauthorized', 'WalletLocked', 'Wallet is locked');

export const minerWalletNeeded = (): ServiceError =>
  new ServiceError('unauthorized', 'MinerWalletNeeded', 'Miner wallet is needed');

export const walletExists = (name: string): ServiceError =>
  new ServiceError(
    'conflict',
    'WalletExists',
    `The wallet ${name} exists already; delete it first or choose another name`,
    { field: 'walletName' },
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
