import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Semaphore } from '@shardnode/core/concurrency';
import { serviceError } from '@shardnode/messages';
import { ServiceError } from '@shardnode/core/errors';

/** The encrypted data of a wallet. */
export interface WalletSecret {
  readonly mnemonic: string;
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

export const stretchPassword: PasswordStretcher = (password, salt) =>
  new Promise((resolve, reject) => {
    scrypt(Buffer.from(password, 'utf8'), salt, 32, stretching, (error, key) => (error ? reject(error) : resolve(key)));
  });

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

export const sealSecret = async (
  secret: WalletSecret,
  password: string,
  stretch: PasswordStretcher,
): Promise<Buffer> => {
  const salt = randomBytes(saltLength);
  const nonce = randomBytes(nonceLength);
  const key = await stretch(password, salt);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const version = Buffer.from([recordVersion]);
  cipher.setAAD(version);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()]);
  key.fill(0);
  return Buffer.concat([version, salt, nonce, cipher.getAuthTag(), ciphertext]);
};

/** The secret, or undefined when the password is wrong. Throws ServiceError `InvalidWalletRecord` for a damaged record. */
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
  const start = decipher.update(bytes.subarray(headerLength));
  try {
    return parseSecret(Buffer.concat([start, decipher.final()]).toString('utf8'));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return undefined;
  }
};

/** The error of the parser would quote the text. */
const parseSecret = (text: string): WalletSecret => {
  try {
    const secret = JSON.parse(text) as Partial<WalletSecret> | null;
    if (typeof secret?.mnemonic === 'string') return secret as WalletSecret;
  } catch {
    // The error below covers it.
  }
  throw invalidRecord();
};
