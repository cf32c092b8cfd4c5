import { type Token } from '../transaction/index.js';
import { u256Max } from '../primitives/index.js';
import { BuildRefusal } from './build-refusal.js';

/** a + b, refused with `text` above 2^256 - 1. */
export const addAmounts = (a: bigint, b: bigint, text: string): bigint => {
  const sum = a + b;
  if (sum > u256Max) throw new BuildRefusal('AmountOverflow', text);
  return sum;
};

export const tokenText = (id: string): string => `TokenId(hex"${id}")`;

/** Sums per token id in order of first appearance (protocol 02 §4.3). */
export const sumTokens = (lists: Iterable<readonly Token[]>): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const tokens of lists) {
    for (const { id, amount } of tokens) {
      sums.set(id, addAmounts(sums.get(id) ?? 0n, amount, `Amount overflow for token ${tokenText(id)}`));
    }
  }
  return sums;
};
