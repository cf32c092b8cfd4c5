import { describe, expect, it } from '@jest/globals';
import fastCheck from 'fast-check';
import { ServiceError } from '../errors/index.js';
import { parseJsonBody } from './json-body.js';

describe('body as JSON', () => {
  it('is what JSON.parse makes of it, as long as numbers are whole', () => {
    const wholeNumbers = fastCheck.jsonValue({ noUnicodeString: false }).map((value) => JSON.stringify(value));
    fastCheck.assert(
      fastCheck.property(wholeNumbers, (text) => {
        const expected: unknown = JSON.parse(text, (_key, value: unknown) =>
          typeof value === 'number' && /[.eE]/.test(JSON.stringify(value)) ? NaN : value,
        );
        expect(parseJsonBody(text)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['1.0', NaN],
    ['-1e3', NaN],
    ['{"a":"1.5","b":[2E+2,"\\"3.5\\\\"],"c":7}', { a: '1.5', b: [NaN, '"3.5\\'], c: 7 }],
    ['', undefined],
    [' \n', undefined],
    ['null', null],
    ['9007199254740993', 9007199254740992],
  ])('%s', (text, value) => {
    expect(parseJsonBody(text)).toEqual(value);
  });

  it('throws nothing but a ServiceError, for any text, and soon', () => {
    const pieces = fastCheck.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '1',
      '.',
      'e',
      '-',
      'a',
      ' ',
      'true',
    );
    const texts = fastCheck.oneof(
      fastCheck.string(),
      fastCheck.array(pieces).map((list) => list.join('')),
    );
    fastCheck.assert(
      fastCheck.property(texts, (text) => {
        try {
          parseJsonBody(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
      { numRuns: 2_000 },
    );
    for (const piece of ['\\', '"', '"\\', '1', '-', '1.', '[', '{"a":']) {
      const startedAt = performance.now();
      expect(() => parseJsonBody(`"${piece.repeat(1_000_000)}x`)).toThrow(ServiceError);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    }
  });
});
