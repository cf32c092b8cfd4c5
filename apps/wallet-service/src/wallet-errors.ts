import { type ServiceError } from '@shardnode/core/errors';
import { serviceError } from '@shardnode/messages';
import { type MnemonicMistake, sizesText } from '@shardnode/protocol/address';
import { canBeCreated, longestName } from './wallet-name.js';

/** Limit of characters of a request's name that an error repeats. */
const longestQuote = 200;
/** The name unchanged if it is valid, else in quotes. */
const quoted = (name: string): string => (canBeCreated(name) ? name : JSON.stringify(name.slice(0, longestQuote)));

/** The refusals of protocol 07 §3.4. No text of them holds a secret. */
export const walletNotFound = (name: string): ServiceError =>
  serviceError('WalletNotFound', `There is no wallet ${quoted(name)}: GET /wallets lists all wallets`, {
    resource: name,
    walletName: name,
  });

/** `name`: if known. */
export const walletLocked = (name?: string): ServiceError =>
  serviceError(
    'WalletLocked',
    `${name === undefined ? 'The wallet' : `Wallet ${quoted(name)}`} is locked: unlock it with its password first`,
  );

/** `isMiner`: whether the wallet is a miner wallet. */
export const minerWalletNeeded = (name: string, isMiner: boolean): ServiceError =>
  serviceError(
    'MinerWalletNeeded',
    isMiner
      ? `Wallet ${quoted(name)} is a miner wallet, with an address of each group in a set: derive-next-miner-addresses makes the next set`
      : `Wallet ${quoted(name)} is no miner wallet, as those created with isMiner are: derive-next-address makes its next address`,
  );

const conflict = (name: string, text: string, field = 'walletName'): ServiceError =>
  serviceError('WalletExists', `The wallet ${name} ${text}`, { field });

export const walletExists = (name: string): ServiceError =>
  conflict(
    name,
    'exists: unlock it, or choose another name. PUT /wallets with its mnemonic sets a new password if the old one is forgotten',
  );

/** The mnemonic of a restore differs from that of the wallet of this name. */
export const anotherWallet = (name: string): ServiceError =>
  conflict(
    name,
    'exists and has another mnemonic or another mnemonic passphrase. Check both, or restore under another name',
  );

/** It is unknown whether the mnemonic of a restore is the wallet's own. */
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
  serviceError(
    'InvalidWalletName',
    `${quoted(name)} cannot be the name of a wallet: expected 1 to ${longestName} letters (a-z, A-Z), digits, _ and -`,
    {
      field: 'walletName',
      walletName: name.slice(0, longestQuote),
    },
  );

/** `count`: wrong passwords in a row, this one included; `pauseMs`: until the next attempt. */
export const invalidPassword = (count = 1, pauseMs = 0): ServiceError =>
  serviceError(
    'InvalidPassword',
    pauseMs === 0
      ? 'The password is wrong. After another wrong one there is a pause of 1 s, then of twice as long each time'
      : `The password is wrong (${count} wrong ones in a row). The next one is tried in ${pauseMs / 1000} s at the earliest`,
    { field: 'password' },
  );

/**
 * `failures`: wrong passwords of this client in a row, undefined when it waits for those of others; `until`: wall clock,
 * milliseconds; `leftMs`: until then.
 */
export const tooManyWrongPasswords = (failures: number | undefined, until: number, leftMs: number): ServiceError => {
  const retryAfterSeconds = Math.ceil(leftMs / 1000);
  const whose =
    failures === undefined ? 'many wrong passwords of many clients' : `${failures} wrong passwords in a row`;
  return serviceError(
    'TooManyWrongPasswords',
    `After ${whose} no other is tried before ${new Date(until).toISOString()}: try again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
};

const passphraseTexts = {
  missing: 'This wallet has a mnemonic passphrase: send it as mnemonicPassphrase',
  superfluous: 'This wallet was made without a mnemonic passphrase: leave mnemonicPassphrase out',
  wrong: 'The mnemonic passphrase is wrong; the password is right',
} as const;

export const invalidPassphrase = (what: keyof typeof passphraseTexts): ServiceError =>
  serviceError('InvalidPassphrase', passphraseTexts[what], { field: 'mnemonicPassphrase' });

/** `count`: addresses of the wallet. */
export const unknownAddress = (address: string, count: number): ServiceError =>
  serviceError(
    'UnknownAddress',
    `Address ${address} is not of this wallet, which has ${count} address${count === 1 ? '' : 'es'}: derive-next-address makes more, after a restore the same ones in the same order`,
    { field: 'address', address },
  );

/** `mistake`: see `mnemonicMistake`. The words are not repeated: they may be nearly right. */
export const invalidMnemonic = ({ text, isChecksum }: MnemonicMistake): ServiceError =>
  serviceError('InvalidMnemonic', `The mnemonic is wrong: ${text}`, {
    field: 'mnemonic',
    isChecksum,
  });

export const invalidMnemonicSize = (size: number): ServiceError =>
  serviceError('InvalidMnemonicSize', `A mnemonic of ${size} words cannot be made: expected ${sizesText}`, {
    field: 'mnemonicSize',
    mnemonicSize: size,
  });

/** `length`: of the data to sign, in bytes; undefined when it is not hexadecimal. */
export const invalidData = (length: number | undefined): ServiceError =>
  serviceError(
    'InvalidData',
    `What is to be signed ${length === undefined ? 'is not hexadecimal' : `has ${length} bytes`}: expected 32 bytes, as 64 hexadecimal digits, the id of a transaction`,
    { field: 'data' },
  );

/** `part`: of the transaction, see `checkBuiltTransfer`. A fault of ours, or a group-node that is taken over. */
export const builtTransactionDiffers = (group: number, part: string): ServiceError =>
  serviceError(
    'BuiltTransactionDiffers',
    `Nothing was signed: the transaction that group ${group} built is not what was asked for (${part})`,
    { group },
  );
