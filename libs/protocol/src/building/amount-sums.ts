import { type Token } from '../transaction/index.js';
import { type RefusalFacts } from '../validation/index.js';
import { amountText, maxCoinValue, u256Max } from '../primitives/index.js';
import { type BuildRefusal, refusalOf } from './build-refusal.js';

/** The kind of sum, as distinguished in the documented texts (protocol 02 §4.2, §4.3, §4.8). */
export type Summed = 'coin' | 'total' | 'input' | 'output' | { readonly token: string };

/** `field`: the field of the request at which the sum overflows. */
export const overflow = (summed: Summed, field?: string): BuildRefusal => {
  const where: RefusalFacts = field === undefined ? {} : { field };
  if (typeof summed === 'object')
    return refusalOf('AmountOverflow', `The amounts of token ${summed.token} add up to more than 2^256 - 1.`, {
      of: 'token',
      ...summed,
      ...where,
    });
  const what = summed === 'input' || summed === 'output' ? `The amounts of the ${summed}s` : 'The amounts';
  return refusalOf(
    'AmountOverflow',
    `${what} add up to more than all coins that can exist, ${amountText(maxCoinValue)}.`,
    {
      of: summed,
      ...where,
    },
  );
};

/** a + b, refused above 2^256 - 1. */
export const addAmounts = (a: bigint, b: bigint, summed: Summed): bigint => {
  const sum = a + b;
  if (sum > u256Max) throw overflow(summed);
  return sum;
};

/** Sums per token id in order of first appearance (protocol 02 §4.3). */
export const sumTokens = (lists: Iterable<readonly Token[]>): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const tokens of lists) {
    for (const { id, amount } of tokens) sums.set(id, addAmounts(sums.get(id) ?? 0n, amount, { token: id }));
  }
  return sums;
};
