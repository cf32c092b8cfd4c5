import { groupOfHint } from './chains.js';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The lockup script of an address, hexadecimal; undefined: a character that is no digit of base58. */
export const scriptOf = (address: string): string | undefined => {
  let value = 0n;
  for (const character of address) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const digits = value.toString(16);
  const zeros = '00'.repeat(/^1*/.exec(address)![0].length);
  return zeros + (digits.length % 2 === 0 ? digits : `0${digits}`);
};

/** The kinds of lockup scripts that hold coins of people: the hash that decides the group comes after this many bytes. */
const hashAt: Readonly<Record<string, number>> = { '00': 1, '01': 2, '02': 1 };

const djb = (hash: string): number => {
  let value = 5_381;
  for (let at = 0; at < hash.length; at += 2) value = (Math.imul(value, 33) + parseInt(hash.slice(at, at + 2), 16)) | 0;
  return value;
};

const contractKind = '03';

/** The group of an address (protocol 01 §7); undefined for a text that is none. */
export const groupOfAddress = (address: string, groups: number): number | undefined => {
  const script = scriptOf(address) ?? '';
  const kind = script.slice(0, 2);
  if (kind === contractKind) {
    const group = parseInt(script.slice(-2), 16);
    return group < groups ? group : undefined;
  }
  const at = hashAt[kind];
  const hash = at === undefined ? '' : script.slice(2 * at, 2 * at + 64);
  return hash.length < 64 ? undefined : groupOfHint(djb(hash), groups);
};
