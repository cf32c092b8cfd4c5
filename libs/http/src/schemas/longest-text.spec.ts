import { describe, expect, it } from '@jest/globals';
import {
  address,
  amount,
  fields,
  flag,
  hash,
  optional,
  required,
  secretText,
  sentValues,
  text,
  uint256,
} from './index.js';

const schema = fields(
  {
    name: required(text('Name', 'a', 3)),
    secret: optional(secretText('Secret')),
    address: optional(address),
    amount: optional(amount),
    digits: optional(uint256),
    flag: optional(flag('Flag', true)),
    hash: optional(hash),
    shorter: optional(text('Text', 'a', 3), { maxLength: 2 }),
    value: optional(sentValues),
  },
  { description: 'Texts' },
);
const messages = (more: object): unknown => {
  const result = schema.safeParse({ name: 'abc', ...more });
  return result.success ? 'taken' : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('longest length of a text', () => {
  it.each<[string, object, unknown]>([
    ['as many as allowed', { secret: 'x'.repeat(256) }, 'taken'],
    ['code points, not units of UTF-16', { name: '𝄞𝄞𝄞', secret: '𝄞'.repeat(256) }, 'taken'],
    ['one code point too many', { name: '𝄞𝄞𝄞𝄞' }, ['name: has 8 characters, at most 3 are allowed']],
    ['a secret, not repeated', { secret: 'x'.repeat(257) }, ['secret: has 257 characters, at most 256 are allowed']],
    ['an address', { address: '1'.repeat(3_000) }, ['address: has 3000 characters, at most 2048 are allowed']],
    ['an amount', { amount: '0'.repeat(257) }, ['amount: has 257 characters, at most 256 are allowed']],
    ['digits', { digits: '0'.repeat(257) }, ['digits: has 257 characters, at most 256 are allowed']],
    ['a word', { flag: 'true'.repeat(100) }, ['flag: has 400 characters, at most 256 are allowed']],
    ['a hash of the wrong length', { hash: 'ab'.repeat(33) }, ['hash: expected 64 hexadecimal digits']],
    ['a hash of any length', { hash: 'ab'.repeat(129) }, ['hash: has 258 characters, at most 256 are allowed']],
    ['of one field', { shorter: 'abc' }, ['shorter: has 3 characters, at most 2 are allowed']],
    [
      'a value in a list of values',
      { value: { type: 'Array', value: [{ type: 'Address', value: 'z'.repeat(2_049) }] } },
      ['value: has 2049 characters, at most 2048 are allowed'],
    ],
  ])('%s', (_name, more, expected) => {
    expect(messages(more)).toEqual(expected);
  });
});
