import {
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  randomBytes,
  scrypt,
  type ScryptOptions,
} from 'node:crypto';
import { promisify } from 'node:util';
import { Semaphore } from '@shardnode/core/concurrency';
import { serviceError } from '@shardnode/messages';
import { type ServiceError } from '@shardnode/core/errors';
import { secretBytes } from '@shardnode/protocol/crypto';

/** The encrypted data of a wallet. */
export interface WalletSecret {
  /** UTF-8 of the words joined by single spaces (`mnemonicBytes`): bytes, because they can be wiped. */
  readonly mnemonic: Uint8Array;
  /** Double SHA-256 of the passphrase in hex, when one was given; an empty one counts as given (protocol 07 §3.2). */
  readonly passphraseCheck?: string;
}

/** `version (1) | salt (32) | nonce (12) | tag (16) | ciphertext`; scrypt and AES-256-GCM (00-decisions, 7). */
const recordVersion = 1;
const saltLength = 32;
const nonceLength = 12;
const tagLength = 16;
const headerLength = 1 + saltLength + nonceLength + tagLength;
/** 128 MiB and a quarter of a second per attempt. */
const stretching = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

export type PasswordStretcher = (password: string, salt: Uint8Array) => Promise<Buffer>;

const deriveKey = promisify<Uint8Array, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

export const stretchPassword: PasswordStretcher = async (password, salt) => {
  const text = Buffer.from(password, 'utf8');
  try {
    return await deriveKey(text, salt, 32, stretching);
  } finally {
    text.fill(0);
  }
};

/**
 * Limits stretchings: at most `parallel` run at once (128 MiB each) and at most `waiting` wait; further ones are
 * refused as `throttled`.
 */
export const boundedStretcher = (stretch: PasswordStretcher, parallel: number, waiting = 32): PasswordStretcher => {
  const semaphore = new Semaphore({ permits: parallel, maxWaiting: waiting, full: () => tooManyChecks(waiting) });
  return (password, salt) => semaphore.run(() => stretch(password, salt));
};

const retryAfterSeconds = 5;
const tooManyChecks = (waiting: number): ServiceError =>
  serviceError(
    'TooManyPasswordChecks',
    `${waiting} passwords wait to be checked already: try again in ${retryAfterSeconds} s`,
    {
      retryAfterSeconds,
    },
  );

const invalidRecord = (): ServiceError =>
  serviceError(
    'InvalidWalletRecord',
    'The stored record of this wallet cannot be read: PUT /wallets with its mnemonic restores it',
  );

/** The plaintext is JSON: `{"mnemonic":"vault alarm","passphraseCheck":"ab12"}`, the second field only if there is one. */
const beginning = Buffer.from('{"mnemonic":"');
const quote = 0x22;

const plaintextOf = ({ mnemonic, passphraseCheck: check }: WalletSecret): Buffer =>
  Buffer.concat([beginning, mnemonic, Buffer.from(check === undefined ? '"}' : `","passphraseCheck":"${check}"}`)]);

/** Reads the bytes themselves: JSON.parse would leave the words in texts, which cannot be wiped. */
const parsePlaintext = (text: Buffer): WalletSecret => {
  const start = beginning.length;
  const end = text.indexOf(quote, start);
  const rest = text.toString('utf8', end + 1);
  const check = /^(?:,"passphraseCheck":"([0-9a-f]{64})")?\}$/.exec(rest);
  if (!text.subarray(0, start).equals(beginning) || end === -1 || !check) throw invalidRecord();
  const mnemonic = secretBytes(end - start);
  mnemonic.set(text.subarray(start, end));
  return { mnemonic, ...(check[1] !== undefined && { passphraseCheck: check[1] }) };
};

/** The record of a secret; the caller wipes the secret. */
export const sealSecret = async (
  secret: WalletSecret,
  password: string,
  stretch: PasswordStretcher,
): Promise<Buffer> => {
  const salt = randomBytes(saltLength);
  const nonce = randomBytes(nonceLength);
  const key = await stretch(password, salt);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  key.fill(0);
  const version = Buffer.from([recordVersion]);
  cipher.setAAD(version);
  const plaintext = plaintextOf(secret);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  plaintext.fill(0);
  return Buffer.concat([version, salt, nonce, cipher.getAuthTag(), ciphertext]);
};

/**
 * The secret, which the caller wipes, or undefined when the password is wrong. Throws ServiceError
 * `InvalidWalletRecord` for a damaged record.
 */
export const openSecret = async (
  record: Uint8Array,
  password: string,
  stretch: PasswordStretcher,
): Promise<WalletSecret | undefined> => {
  if (record.length <= headerLength || record[0] !== recordVersion) throw invalidRecord();
  const bytes = Buffer.from(record);
  const salt = bytes.subarray(1, 1 + saltLength);
  const nonce = bytes.subarray(1 + saltLength, 1 + saltLength + nonceLength);
  const tag = bytes.subarray(1 + saltLength + nonceLength, headerLength);
  const key = await stretch(password, salt);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  key.fill(0);
  decipher.setAAD(bytes.subarray(0, 1));
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(bytes.subarray(headerLength));
  try {
    return isAuthentic(decipher) ? parsePlaintext(plaintext) : undefined;
  } finally {
    plaintext.fill(0);
  }
};

/** Whether the tag is that of the record: another password gives another key. Nothing follows the last update (GCM). */
const isAuthentic = (decipher: DecipherGCM): boolean => {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
};
