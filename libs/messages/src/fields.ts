import { u256Max } from '@shardnode/protocol/primitives';
import { z } from 'zod';
import { textLengths } from './text-lengths.js';

/**
 * The leaves of all messages with their bounds. Their texts complete "<field>: ..." and never contain the received
 * value. Unknown fields are permitted: during an upgrade the sender may be newer.
 */

/**
 * Longest bytes: larger than any block or transaction (protocol 03 §6.2), smaller than the largest message of the bus.
 */
const longestBytes = 8 * 2 ** 20;
/** Longest encoded script in digits: some thousand keys. */
const longestScript = 200_000;
/** Longest list from a client. */
const longestList = 20_000;

/** Aborts on a mismatch, because later checks rely on the form. */
const matching = (form: RegExp, most: number, expected: string) =>
  z
    .string({ error: expected })
    .max(most, { error: expected, abort: true })
    .regex(form, { error: expected, abort: true });

/** A whole number within bounds. */
export const within = (least: number, most: number) => {
  const error = `expected a whole number from ${least} to ${most}`;
  return z
    .number({ error })
    .min(least, { error })
    .max(most, { error })
    .refine((value) => Number.isInteger(value), { error });
};

export const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, { error: 'expected an object' });

export const list = <Item extends z.ZodType>(item: Item, most = longestList) => {
  const error = `expected a list of at most ${most} items`;
  return z.array(item, { error }).max(most, { error });
};

/** Block hashes, ids of transactions, tokens and outputs. Lower case, because they are compared as texts. */
export const hash = matching(/^[0-9a-f]{64}$/, 64, 'expected 64 lower-case hexadecimal digits');

export const group = (groups: number) => within(0, groups - 1);
export const chain = (groups: number) => ({ from: group(groups), to: group(groups) });
export const optionalChain = (groups: number) => ({ from: group(groups).optional(), to: group(groups).optional() });

/** 0 to 2^31 - 1: heights, counts, gas. */
export const count = within(0, 2 ** 31 - 1);
/** Signed: hints of outputs. */
export const int32 = within(-(2 ** 31), 2 ** 31 - 1);
export const upTo = (most: number) => within(0, most);

/** One of these texts. */
export const oneOf = <const Texts extends readonly [string, ...string[]]>(...texts: Texts) =>
  z.enum(texts, { error: `expected ${texts.join(', ')}` });
/** Milliseconds as a JSON number. The HTTP edge accepts 63 bits; above 2^53 the lower bits may be lost. */
export const milliseconds = within(0, 2 ** 63);

const int64Digits = 'expected 1 to 19 decimal digits, less than 2^63';
/** 0 to 2^63 - 1 as text: times. */
export const int64Text = matching(/^(?:0|[1-9][0-9]{0,18})$/, 19, int64Digits).refine(
  (text) => text.length < 19 || BigInt(text) < 2n ** 63n,
  { error: int64Digits },
);

const uint256Digits = 'expected 1 to 78 decimal digits, less than 2^256';
/** 0 to 2^256 - 1 as text: amounts. */
export const uint256Text = matching(/^(?:0|[1-9][0-9]{0,77})$/, 78, uint256Digits).refine(
  (text) => text.length < 78 || BigInt(text) <= u256Max,
  { error: uint256Digits },
);

const hexOfAtMost = (most: number) => {
  const error = `expected an even number of hexadecimal digits, at most ${most}`;
  return z
    .string({ error })
    .max(most, { error, abort: true })
    .regex(/^(?:[0-9a-fA-F]{2})*$/, { error });
};
export const script = hexOfAtMost(longestScript);
export const keyPrefix = hexOfAtMost(128);
const hexData = hexOfAtMost(textLengths.hex);

const bytesFrom = (least: number) =>
  z.custom<Uint8Array>(
    (value) => value instanceof Uint8Array && value.length >= least && value.length <= longestBytes,
    { error: `expected ${least} to ${longestBytes} bytes` },
  );
/** Encoded blocks, headers, transactions. */
export const bytes = bytesFrom(1);
/** Client bytes before decoding. */
export const anyBytes = bytesFrom(0);

/** A text of at most `most` UTF-16 units. */
export const text = (most: number) => {
  const error = `expected a text of at most ${most} characters`;
  return z.string({ error }).max(most, { error });
};

export const flag = z.boolean({ error: 'expected true or false' });
export const utxoPart = z.enum(['pending', 'plain', 'bearing'], { error: 'expected pending, plain or bearing' });
export const gasFormula = z.enum(['document', 'reference'], { error: 'expected document or reference' });
export const unminable = z.enum(['refuse', 'build'], { error: 'expected refuse or build' });

export const tokenAmounts = list(object({ id: hash, amount: uint256Text }));

export const destination = object({
  lockupScript: script,
  amount: uint256Text,
  tokens: tokenAmounts,
  lockTime: int64Text.optional(),
  message: hexData.optional(),
});

/** Outputs chosen by the client. */
export const outputsToSpend = list(object({ hint: int32, key: hash }));
