import { utf8ToBytes } from '@noble/hashes/utils.js';
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { secretBytes } from '../crypto/index.js';

/** The words of a mnemonic, in order. */
export type Mnemonic = readonly string[];

/** protocol 01 §9.1 */
export const mnemonicSizes: readonly number[] = [12, 15, 18, 21, 24];

const words = new Set(wordlist);

/** Spaces at the end are ignored; more than one before a word make empty parts. */
const partsOf = (text: string): string[] => {
  const parts = text.split(' ');
  while (parts.at(-1) === '') parts.pop();
  return parts;
};

const counted = (count: number): string => `${count} word${count === 1 ? '' : 's'}`;

/** Bytes of entropy of a mnemonic of this many words: 16 for 12 to 32 for 24 (protocol 01 §9.1). */
export const entropyLength = (size: number): number => (size / 3) * 4;

/** The mnemonic of 16, 20, 24, 28 or 32 bytes of entropy (protocol 01 §9.1). Throws for another length. */
export const mnemonicFromEntropy = (entropy: Uint8Array): Mnemonic => entropyToMnemonic(entropy, wordlist).split(' ');

/**
 * The words of a text: single spaces between them, lower case, words of the English list, one of the five sizes; spaces
 * at the end are ignored. Undefined otherwise. The checksum is not verified (protocol 01 §9.1): see `hasValidChecksum`.
 */
export const parseMnemonic = (text: string): Mnemonic | undefined => {
  const parts = partsOf(text);
  return mnemonicSizes.includes(parts.length) && parts.every((word) => words.has(word)) ? parts : undefined;
};

/** Whether the BIP-39 checksum is correct: checked when a wallet is restored (decision 8). */
export const hasValidChecksum = (mnemonic: Mnemonic): boolean => validateMnemonic(mnemonic.join(' '), wordlist);

/** The allowed numbers of words: `12, 15, 18, 21 or 24 words`. */
export const sizesText = `${mnemonicSizes.slice(0, -1).join(', ')} or ${mnemonicSizes.at(-1)} words`;

export interface MnemonicMistake {
  /** Names words only by their positions, from 1: a mnemonic is a secret, and most of it may be correct. */
  readonly text: string;
  /** Whether only the checksum is wrong. */
  readonly isChecksum: boolean;
}

/** Names the first blank that is no space, and its place. */
const strangeBlank = (text: string): string | undefined => {
  const index = text.search(/[^\S ]/);
  if (index < 0) return undefined;
  const name = /[\r\n]/.test(text[index]!) ? 'a line break' : text[index] === '\t' ? 'a tab' : 'a strange blank';
  if (text.slice(index).trim() === '') return `it ends with ${name}: leave it out`;
  const before = text.slice(0, index).trim();
  const place = before === '' ? 'before its first word' : `after word ${before.split(/ +/).length}`;
  return `it has ${name} ${place}; single spaces separate its words`;
};

/** The mistake in a text that is no mnemonic, or has a wrong checksum. The result contains no word of the text. */
export const mnemonicMistake = (text: string): MnemonicMistake => {
  const blank = strangeBlank(text);
  if (blank !== undefined) return { text: blank, isChecksum: false };
  const parts = partsOf(text);
  if (parts.includes('')) return { text: 'single spaces separate its words', isChecksum: false };
  if (!mnemonicSizes.includes(parts.length))
    return { text: `it has ${counted(parts.length)}, expected ${sizesText}`, isChecksum: false };
  const unknown = parts.flatMap((word, index) => (words.has(word) ? [] : [index + 1]));
  if (unknown.length > 0) {
    const which = unknown.length === 1 ? `word ${unknown[0]} is` : `words ${unknown.join(', ')} are`;
    return {
      text: `${which} not in the English word list of BIP-39, whose words are in lower case`,
      isChecksum: false,
    };
  }
  return { text: 'its checksum is wrong; a word is mistyped, or the words are in a different order', isChecksum: true };
};

/** PBKDF2-HMAC-SHA-512. Slow: the caller provides the implementation of its platform. */
export type KeyStretcher = (
  password: Uint8Array,
  salt: Uint8Array,
  rounds: number,
  length: number,
) => Promise<Uint8Array>;

/** The UTF-8 text of a mnemonic, its words joined by single spaces; the caller wipes it. */
export const mnemonicBytes = (mnemonic: Mnemonic): Uint8Array => {
  const text = mnemonic.join(' ');
  const bytes = secretBytes(text.length);
  new TextEncoder().encodeInto(text, bytes);
  return bytes;
};

/**
 * The seed, 64 bytes, with the raw UTF-8 bytes of the passphrase as they are (protocol 01 §9.2).
 * @param mnemonic its words, or their text (`mnemonicBytes`), which is not wiped
 */
export const mnemonicToSeedOfRawPassphrase = async (
  mnemonic: Mnemonic | Uint8Array,
  passphrase: string,
  stretch: KeyStretcher,
): Promise<Uint8Array> => {
  const salt = utf8ToBytes(`mnemonic${passphrase}`);
  if (mnemonic instanceof Uint8Array) return stretch(mnemonic, salt, 2048, 64);
  const text = mnemonicBytes(mnemonic);
  try {
    return await stretch(text, salt, 2048, 64);
  } finally {
    text.fill(0);
  }
};

/**
 * The seed, 64 bytes (protocol 01 §9.2). The passphrase, empty for none, is normalised to NFKD first, as in BIP-39 and
 * decision 8: texts that look the same give the same keys.
 * @param mnemonic its words, or their text (`mnemonicBytes`), which is not wiped
 */
export const mnemonicToSeed = (
  mnemonic: Mnemonic | Uint8Array,
  passphrase: string,
  stretch: KeyStretcher,
): Promise<Uint8Array> => mnemonicToSeedOfRawPassphrase(mnemonic, passphrase.normalize('NFKD'), stretch);
