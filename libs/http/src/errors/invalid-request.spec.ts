import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fields, gas, groupIndex, list, optional, required, secretText, timestamp } from '../schemas/index.js';
import { invalidRequest, issuesOf, type RequestPart } from './index.js';

const schema = fields(
  {
    gas: optional(gas),
    group: required(groupIndex()),
    times: list(required(timestamp), 'times'),
    password: required(secretText('Password')),
  },
  { description: 'Test' },
);
const good = { group: 1, times: [0], password: 'p' };

const textOf = (part: RequestPart, body: unknown): string => {
  const result = schema.safeParse(body);
  return result.success ? 'no mistake' : invalidRequest(issuesOf(part, result.error.issues, body)).detail;
};

describe('the text of an invalid request', () => {
  it.each<[string, unknown, string]>([
    ['nothing wrong', { ...good, more: 1 }, 'no mistake'],
    ['null for an optional field', { ...good, gas: null }, 'no mistake'],
    ['digits for an integer', { ...good, gas: '20000', group: '3' }, 'no mistake'],
    [
      'a field is missing',
      { times: [], password: '' },
      'Invalid value for: body (group: is missing, expected a group from 0 to {lastGroup})',
    ],
    [
      'several mistakes, also inside lists',
      { ...good, gas: -1, times: [1, 'x', {}] },
      'Invalid value for: body (gas: expected a whole number from 0 to 2147483647, received -1; times[1]: expected milliseconds since 1970, from 0 to 9223372036854775807, received "x"; times[2]: expected milliseconds since 1970, from 0 to 9223372036854775807, received an object)',
    ],
    [
      'a fraction',
      { ...good, gas: NaN },
      'Invalid value for: body (gas: expected a whole number from 0 to 2147483647, received a number with a fraction or an exponent)',
    ],
    ['no object', 'text', 'Invalid value for: body (expected an object, received a text)'],
    ['null', null, 'Invalid value for: body (expected an object, received null)'],
    ['no list', { ...good, times: true }, 'Invalid value for: body (times: expected a list of times, received true)'],
  ])('%s', (_name, body, text) => {
    expect(textOf('body', body)).toBe(text);
  });

  it('repeats no secret, and what is none', () => {
    const kinds = [['my secret'], { is: 'my secret' }].map((password) => textOf('body', { ...good, password }));
    expect(kinds).toEqual([
      'Invalid value for: body (password: expected a text, received a list)',
      'Invalid value for: body (password: expected a text, received an object)',
    ]);
    expect(textOf('body', { ...good, password: 4711, group: 'three' })).toBe(
      'Invalid value for: body (group: expected a group from 0 to {lastGroup}, received "three"; password: expected a text, received a number)',
    );
  });

  it.each([
    ['1 ', '"1 ", with a space at the end'],
    ['1\n', String.raw`"1\n", with a line break at the end`],
    [' \t1', String.raw`" \t1", with a space at the beginning`],
    ['\t1\u00a0', String.raw`"\t1${'\u00a0'}", with a tab at the beginning and a blank at the end`],
    [`${'x'.repeat(100)} `, `"${'x'.repeat(79)}..., with a space at the end`],
    [' ', '" "'],
    ['1 2', '"1 2"'],
  ])('names the blanks around %j', (group, received) => {
    expect(textOf('body', { ...good, group })).toBe(
      `Invalid value for: body (group: expected a group from 0 to {lastGroup}, received ${received})`,
    );
  });

  it.each([
    ['9223372036854775808', 'is a JSON number above 2^53 - 1, whose digits may be lost: send it as a text of digits'],
    ['9007199254740993', 'is a JSON number above 2^53 - 1, whose digits may be lost: send it as a text of digits'],
    [
      '-9007199254740993',
      'expected milliseconds since 1970, from 0 to 9223372036854775807, received a JSON number below -(2^53 - 1)',
    ],
  ])('repeats no other number than %s', (digits, message) => {
    expect(textOf('body', { ...good, times: [JSON.parse(digits)] })).toBe(
      `Invalid value for: body (times[0]: ${message})`,
    );
    expect(textOf('body', { ...good, gas: JSON.parse(digits) })).toMatch(/received a JSON number (above|below)/);
  });

  it('cuts long values', () => {
    expect(textOf('body', { ...good, group: 'x'.repeat(10_000) }).length).toBeLessThan(250);
  });

  it('writes the first 20 mistakes, and whether there are more', () => {
    const wrong = (length: number) => textOf('body', { ...good, times: Array.from({ length }, () => 'x') });
    expect(wrong(20)).toMatch(/times\[19\]: [^;]*\)$/);
    expect(wrong(21)).toBe(`${wrong(20)}; and more`);
    expect(wrong(100_000)).toBe(wrong(21));
    expect(wrong(100_000).length).toBeLessThan(4_096);
  });

  it('names each parameter with its source', () => {
    const issues = [
      ...issuesOf('path parameter', z.object({ a: required(gas) }).safeParse({ a: 'x' }).error!.issues, { a: 'x' }),
      ...issuesOf('query parameter', z.object({ b: required(gas) }).safeParse({}).error!.issues, {}),
    ];
    expect(invalidRequest(issues).detail).toBe(
      'Invalid value for: path parameter a (expected a whole number from 0 to 2147483647, received "x"); query parameter b (is missing, expected a whole number from 0 to 2147483647)',
    );
  });
});
