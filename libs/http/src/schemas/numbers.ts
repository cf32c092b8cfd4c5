import { parseAmount, u256Max } from '@shardnode/protocol/primitives';
import { symbolPlaceholder } from '../brand/brand.js';
import {
  amountFailure,
  gasFailure,
  groupFailure,
  numberFailure,
  timestampFailure,
  uint256Failure,
} from './decode-failure.js';
import { developmentValues } from './development-values.js';
import { mistake, type Leaf, type Mistake } from './leaf.js';

/** A JSON integer or a text of digits (00-decisions, 25); fractions and exponents arrive as NaN. */
const integerOf = (raw: unknown): bigint | undefined => {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : undefined;
  return typeof raw === 'string' && /^[+-]?[0-9]{1,30}$/.test(raw) ? BigInt(raw.replace('+', '')) : undefined;
};

const int32Max = 2 ** 31 - 1;

/** A whole number from `minimum` to `maximum`. */
export const wholeNumber = (minimum: number, maximum: number, description: string, example: number): Leaf<number> => ({
  expects: `a whole number from ${minimum} to ${maximum}`,
  failure: numberFailure(BigInt(minimum)),
  read: (raw) => {
    const value = integerOf(raw);
    return value !== undefined && value >= minimum && value <= maximum ? Number(value) : undefined;
  },
  meaning: { description, example, type: 'integer', format: maximum > int32Max ? 'int64' : 'int32', minimum, maximum },
});

/** Signed, 32 bits. */
export const int32 = (description: string, example: number): Leaf<number> =>
  wholeNumber(-int32Max - 1, int32Max, description, example);
export const hint = int32(
  'Hint of an output: tells the group of its lockup script; may be negative',
  developmentValues.genesis.output.hint,
);
const unitsOfGas = wholeNumber(0, int32Max, 'Units of gas', 20_000);
export const gas: Leaf<number> = {
  ...unitsOfGas,
  failure: gasFailure,
  meaning: { ...unitsOfGas.meaning, 'x-unit': 'gas' },
};
export const count = (description: string, example: number): Leaf<number> =>
  wholeNumber(0, int32Max, description, example);

/** A group of the network. Code that knows the number of groups checks the upper bound and replaces `{lastGroup}`. */
export const groupIndex = (description = 'Group of addresses'): Leaf<number> => {
  const leaf = wholeNumber(0, int32Max, `${description}, 0 to {lastGroup}`, 0);
  return {
    ...leaf,
    failure: groupFailure,
    expects: 'a group from 0 to {lastGroup}',
    meaning: { ...leaf.meaning, format: 'group' },
  };
};

const tooLargeNumber = mistake(
  'is a JSON number above 2^53 - 1, whose digits may be lost: send it as a text of digits',
);

const timestampMax = 2n ** 63n - 1n;
/** Milliseconds since 1970 as a bigint. */
export const timestamp: Leaf<bigint> = {
  expects: `milliseconds since 1970, from 0 to ${timestampMax}`,
  failure: timestampFailure,
  read: (raw) => {
    if (typeof raw === 'number' && raw > Number.MAX_SAFE_INTEGER) return tooLargeNumber;
    const value = integerOf(raw);
    return value !== undefined && value >= 0n && value <= timestampMax ? value : undefined;
  },
  meaning: {
    description: 'Milliseconds since 1970; above 2^53 a text of digits',
    example: 1_611_041_396_892,
    type: 'integer',
    format: 'int64',
    minimum: 0,
    'x-unit': 'ms',
  },
};

/**
 * A JSON integer as an amount: exact ones are accepted, larger ones refused because digits may be lost (00-decisions,
 * 25).
 */
const amountOfNumber = (raw: number): bigint | undefined | Mistake => {
  if (Number.isSafeInteger(raw)) return raw >= 0 ? BigInt(raw) : undefined;
  return raw > Number.MAX_SAFE_INTEGER ? tooLargeNumber : undefined;
};

/** Longest amount in characters: the digits of 2^256, leading zeros, and a unit. */
const longestNumber = 256;

/** 0 to 2^256 - 1 as a text of digits. */
export const uint256: Leaf<bigint> = {
  expects: 'a text of decimal digits, at most 2^256 - 1',
  failure: uint256Failure,
  read: (raw) => {
    if (typeof raw === 'number') return amountOfNumber(raw);
    if (typeof raw !== 'string' || !/^[0-9]+$/.test(raw)) return undefined;
    const digits = raw.replace(/^0+(?=.)/, '');
    if (digits.length > 78) return undefined;
    const value = BigInt(digits);
    return value <= u256Max ? value : undefined;
  },
  meaning: {
    description: 'Whole number up to 2^256 - 1 as a text of digits',
    example: '100000000000',
    type: 'string',
    format: 'uint256',
    pattern: '^[0-9]+$',
    maxLength: longestNumber,
  },
};

/** Mistake for a fraction without unit, which could only mean coins. */
const withoutUnit = (text: string): Mistake | undefined =>
  /^[0-9]{0,30}\.[0-9]{1,30}$/.test(text)
    ? mistake('expected a unit: for coins write "<decimal> {COIN}", without a unit a whole number of atto{Coin}')
    : undefined;

/**
 * An amount of the coin in either form (protocol 07 §1.7), as attoCoin. The coin's symbol was replaced by `{COIN}` on
 * receipt.
 */
export const amount: Leaf<bigint> = {
  expects: 'an amount: a text of digits (the smallest unit) or "<decimal> {COIN}"',
  failure: amountFailure,
  read: (raw) => {
    if (typeof raw === 'number') return amountOfNumber(raw);
    return typeof raw === 'string' ? (parseAmount(raw, symbolPlaceholder) ?? withoutUnit(raw)) : undefined;
  },
  meaning: {
    description: 'Amount: digits are the smallest unit (10^18 are one coin), "1.5 {COIN}" is coins',
    example: '1.5 {COIN}',
    type: 'string',
    format: 'amount',
    pattern: '^([+]?[0-9]+|[0-9]*[.]?[0-9]+ *{COIN})$',
    maxLength: longestNumber,
    'x-unit': 'attoCoin',
  },
};

/** The same, for fields named after the smallest unit. */
export const smallestUnits: Leaf<bigint> = {
  ...amount,
  meaning: { ...amount.meaning, example: '1500000000000000000' },
};
