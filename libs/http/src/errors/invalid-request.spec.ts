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

const textOf = (part: RequestPart, body: unknown, isSecret = false): string => {
  const result = schema.safeParse(body);
  return result.success ? 'no mistake' : invalidRequest(issuesOf(part, result.error.issues, body, isSecret)).detail;
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

  it('never contains secrets', () => {
    const text = textOf('body', { ...good, group: 'my password' }, true);
    expect(text).toBe('Invalid value for: body (group: expected a group from 0 to {lastGroup}, received a text)');
  });

  it('cuts long values', () => {
    expect(textOf('body', { ...good, group: 'x'.repeat(10_000) }).length).toBeLessThan(250);
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
