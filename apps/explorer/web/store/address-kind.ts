import { scriptOf } from './address-group.js';

/** How many keys of how many unlock an address. */
export interface Multisig {
  readonly needed: number;
  readonly keys: number;
}

const multisigKind = '01';
const contractKind = '03';
const hashDigits = 64;

/** A count and where it ends: one byte below 64, else two without the mark of their first bit (protocol 01 §2). @param at digits */
const countAt = (script: string, at: number): readonly [number, number] => {
  const first = parseInt(script.slice(at, at + 2), 16);
  if (first < 0x40) return [first, at + 2];
  return [parseInt(script.slice(at, at + 4), 16) & 0x3fff, at + 4];
};

/** What an address of many keys says; undefined for all others (protocol 01 §8.1). */
export const multisigOf = (address: string): Multisig | undefined => {
  const script = scriptOf(address) ?? '';
  if (!script.startsWith(multisigKind)) return undefined;
  const [keys, start] = countAt(script, multisigKind.length);
  const [needed, end] = countAt(script, start + keys * hashDigits);
  return end === script.length && needed > 0 && needed <= keys ? { needed, keys } : undefined;
};

export const isOfContract = (address: string): boolean => (scriptOf(address) ?? '').startsWith(contractKind);
