import { z } from 'zod';
import { meanings, type Leaf, type Meaning, type Unit } from './leaf.js';
import { uint256 } from './numbers.js';

/**
 * Responses reuse the meaning of the request value, with the type of the response. The maximum length applies to
 * requests only.
 */
export const textOf = (leaf: Leaf<unknown>, more: Partial<Meaning> = {}) => {
  const { maxLength: _ofRequests, ...meaning } = leaf.meaning;
  return z.string().register(meanings, { ...meaning, ...more });
};

export const numberOf = (leaf: Leaf<unknown>, more: Partial<Meaning> = {}) =>
  z.number().register(meanings, { ...leaf.meaning, ...more });

export const flagAnswer = (description: string, example: boolean) =>
  z.boolean().register(meanings, { description, example, type: 'boolean' });

export const plainText = (description: string, example: string) =>
  z.string().register(meanings, { description, example, type: 'string', format: 'text' });

export const time = (description: string, example = 1_611_041_396_892) =>
  z.custom<number | string>().register(meanings, {
    description: `${description}, milliseconds since 1970; a text of digits above 2^53`,
    example,
    'x-unit': 'ms',
    oneOf: [
      { type: 'integer', format: 'int64' },
      { type: 'string', format: 'uint256', pattern: '^[0-9]+$' },
    ],
  });

/** A whole number as a text of digits. */
export const digits = (description: string, example = '1500000000000000000', unit?: Unit) =>
  textOf(uint256, { description, example, ...(unit === undefined ? {} : { 'x-unit': unit }) });

export const attoCoins = (description: string, example?: string) => digits(description, example, 'attoCoin');

export const gasPriceText = () => digits('Smallest units per unit of gas', '100000000000', 'attoCoin per gas');

export const tagged = <const Tag extends string>(tag: Tag) => {
  const literal = z.literal(tag);
  meanings.add(literal, { description: 'Which form this is', type: 'string', enum: [tag] });
  return literal;
};
