import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type KeyStretcher, mnemonicToSeed, type Mnemonic } from '@shardnode/protocol/address';

const deriveKey = promisify(pbkdf2);

/** Runs off the main thread. */
const stretchMnemonic: KeyStretcher = (password, salt, rounds, length) =>
  deriveKey(password, salt, rounds, length, 'sha512');

/**
 * The seed, 64 bytes, of the passphrase in normal form NFKD (00-decisions, 8); the caller wipes it.
 * @param mnemonic its words, or their text (`mnemonicBytes`)
 */
export const seedOf = (
  mnemonic: Mnemonic | Uint8Array,
  passphrase: string | undefined,
  stretch: KeyStretcher = stretchMnemonic,
): Promise<Uint8Array> => mnemonicToSeed(mnemonic, passphrase ?? '', stretch);

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/**
 * Check value of a passphrase: double SHA-256 in hex of its normal form, undefined without a passphrase; an empty
 * one counts as given (protocol 07 §3.2).
 */
export const passphraseCheckOf = (passphrase: string | undefined): string | undefined =>
  passphrase === undefined
    ? undefined
    : sha256(sha256(Buffer.from(passphrase.normalize('NFKD'), 'utf8'))).toString('hex');
