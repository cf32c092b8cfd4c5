import { utf8ToBytes } from '@noble/hashes/utils.js';
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** The words of a mnemonic, in order. */
export type Mnemonic = readonly string[];

/** protocol 01 §9.1 */
export const mnemonicSizes: readonly number[] = [12, 15, 18, 21, 24];

const words = new Set(wordlist);

/** Bytes of entropy of a mnemonic of this many words: 16 for 12 to 32 for 24 (protocol 01 §9.1). */
export const entropyLength = (size: number): number => (size / 3) * 4;

/** The mnemonic of 16, 20, 24, 28 or 32 bytes of entropy (protocol 01 §9.1). Throws for another length. */
export const mnemonicFromEntropy = (entropy: Uint8Array): Mnemonic => entropyToMnemonic(entropy, wordlist).split(' ');

/**
 * The words of a text: single spaces between them, lower case, words of the English list, one of the five sizes; spaces
 * at the end are ignored. Undefined otherwise. The checksum is not looked at (protocol 01 §9.1): see `hasValidChecksum`.
 */
export const parseMnemonic = (text: string): Mnemonic | undefined => {
  const parts = text.split(' ');
  while (parts.at(-1) === '') parts.pop();
  return mnemonicSizes.includes(parts.length) && parts.every((word) => words.has(word)) ? parts : undefined;
};

/** Whether the checksum of BIP-39 is right: asked when a wallet is restored (decision 8). */
export const hasValidChecksum = (mnemonic: Mnemonic): boolean => validateMnemonic(mnemonic.join(' '), wordlist);

/** PBKDF2-HMAC-SHA-512. Slow: the caller brings the one of its platform. */
export type KeyStretcher = (
  password: Uint8Array,
  salt: Uint8Array,
  rounds: number,
  length: number,
) => Promise<Uint8Array>;

/** The seed, 64 bytes, with the raw UTF-8 bytes of the passphrase as they are (protocol 01 §9.2). */
export const mnemonicToSeedOfRawPassphrase = (
  mnemonic: Mnemonic,
  passphrase: string,
  stretch: KeyStretcher,
): Promise<Uint8Array> => stretch(utf8ToBytes(mnemonic.join(' ')), utf8ToBytes(`mnemonic${passphrase}`), 2048, 64);

/**
 * The seed, 64 bytes (protocol 01 §9.2). The passphrase, empty for none, is brought to normal form NFKD first, as
 * BIP-39 says and decision 8 asks: texts that look the same give the same keys.
 */
export const mnemonicToSeed = (mnemonic: Mnemonic, passphrase: string, stretch: KeyStretcher): Promise<Uint8Array> =>
  mnemonicToSeedOfRawPassphrase(mnemonic, passphrase.normalize('NFKD'), stretch);
