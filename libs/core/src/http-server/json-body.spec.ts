import { describe, expect, it } from '@jest/globals';
import { fc as fastCheck } from '@shardnode/testing/properties';
import { ServiceError } from '../errors/index.js';
import { parseJsonBody } from './json-body.js';
import { JsonBounds } from './json-bounds.js';

/** Reads the text as a body that arrives in chunks of that many bytes. */
const read = (text: string, piece: number): unknown => {
  const bytes = Buffer.from(text);
  const bounds = new JsonBounds();
  for (let start = 0; start < bytes.length; start += piece) bounds.add(bytes.subarray(start, start + piece));
  return parseJsonBody(text);
};

describe('body as JSON', () => {
  it('equals the result of JSON.parse for whole numbers', () => {
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

  it.each([
    ['100,000 numbers', `[${'1,'.repeat(99_997)}1]`, undefined],
    ['one more', `[${'1,'.repeat(99_999)}1]`, 'has more than 100000 values'],
    ['commas and brackets of strings', `["${'[,{'.repeat(100_000)}\\"${',['.repeat(100_000)}"]`, undefined],
    ['what stands after a string', `["\\\\",${'[],'.repeat(60_000)}1]`, 'has more than 100000 values'],
    ['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
    ['one level more', '['.repeat(65) + ']'.repeat(65), 'is nested deeper than 64 levels'],
    ['levels that were closed', `[${'[[]],'.repeat(1_000)}1]`, undefined],
  ])('%s, in whatever pieces they come', (_what, text, reason) => {
    for (const piece of [1, 7, 65_536]) {
      if (reason === undefined) expect(read(text, piece)).toBeDefined();
      else expect(() => read(text, piece)).toThrow(reason);
    }
  });

  it('throws only ServiceError for any text', () => {
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
          read(text, 3);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('looks at no character more than three times, whatever the text', () => {
    const { charCodeAt } = String.prototype;
    let looks = 0;
    String.prototype.charCodeAt = function (this: string, index: number): number {
      looks += 1;
      return charCodeAt.call(this, index);
    };
    try {
      for (const piece of ['\\', '"', '"\\', '\\\\"', '1', '-', '1.', '[', '{"a":']) {
        for (const start of ['', '"']) {
          const text = `${start}${piece.repeat(100_000)}x`;
          looks = 0;
          expect(() => parseJsonBody(text)).toThrow(ServiceError);
          expect(looks).toBeGreaterThan(0);
          expect(looks).toBeLessThanOrEqual(3 * text.length);
        }
      }
    } finally {
      String.prototype.charCodeAt = charCodeAt;
    }
  });
});
