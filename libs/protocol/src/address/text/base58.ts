import { bytesToHex, hexToBytes } from '../../encoding/index.js';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digitOf = new Map([...alphabet].map((character, digit) => [character, digit]));

/** Digits that fit a JavaScript number exactly: 58^9 < 2^53. */
const chunkLength = 9;
const chunkSize = 58n ** BigInt(chunkLength);

const chunkText = (chunk: number): string => {
  let text = '';
  let rest = chunk;
  for (let i = 0; i < chunkLength; i++) {
    text = alphabet[rest % 58]! + text;
    rest = Math.floor(rest / 58);
  }
  return text;
};

/** 58^9, 58^18, 58^36 and so on, as far as a number has needed them. */
const powers = [chunkSize];

/** The largest power that is at most `value`, as its place; -1 for a number that fits a chunk. */
const largestPower = (value: bigint): number => {
  while (powers.at(-1)! <= value) powers.push(powers.at(-1)! ** 2n);
  return powers.findLastIndex((power) => power <= value);
};

/** A number below the square of the power at `place`. Splits it in halves: the usual loop takes quadratic time. */
const digitsOf = (value: bigint, place: number): string =>
  place < 0
    ? chunkText(Number(value))
    : digitsOf(value / powers[place]!, place - 1) + digitsOf(value % powers[place]!, place - 1);

/** A number as base-58 digits without leading zeros. */
const base58Digits = (value: bigint): string => digitsOf(value, largestPower(value)).replace(/^1+/, '');

/** Base58 text without checksum: each leading zero byte becomes a `1` (protocol 01 §16.2). */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const rest = bytes.subarray(zeros);
  return '1'.repeat(zeros) + (rest.length === 0 ? '' : base58Digits(BigInt(`0x${bytesToHex(rest)}`)));
};

/** The digits as a number; undefined for a character outside the alphabet. Combines neighbours pairwise, as above. */
const valueOf = (digits: string): bigint | undefined => {
  let parts: bigint[] = [];
  // From the end, so that every part but the last one stands for a full chunk; the least significant part comes first.
  for (let end = digits.length; end > 0; end -= chunkLength) {
    let chunk = 0;
    for (let i = Math.max(0, end - chunkLength); i < end; i++) {
      const digit = digitOf.get(digits[i]!);
      if (digit === undefined) return undefined;
      chunk = chunk * 58 + digit;
    }
    parts.push(BigInt(chunk));
  }
  for (let power = chunkSize; parts.length > 1; power **= 2n) {
    const joined: bigint[] = [];
    for (let i = 0; i < parts.length; i += 2) joined.push(parts[i]! + (parts[i + 1] ?? 0n) * power);
    parts = joined;
  }
  return parts[0] ?? 0n;
};

/** The bytes of base58 text; undefined for any character outside the alphabet (protocol 01 §16.2). */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  let zeros = 0;
  while (text[zeros] === '1') zeros++;
  if (zeros === text.length) return new Uint8Array(zeros);
  const value = valueOf(text.slice(zeros));
  if (value === undefined) return undefined;
  const hex = value.toString(16);
  const rest = hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`);
  const bytes = new Uint8Array(zeros + rest.length);
  bytes.set(rest, zeros);
  return bytes;
};
