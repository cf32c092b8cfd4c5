import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretSearch } from './secret-search.js';

const bytes = randomBytes(32);
const words = [
  'vault',
  'alarm',
  'sad',
  'mass',
  'witness',
  'property',
  'virus',
  'style',
  'good',
  'flower',
  'rice',
  'alpha',
];
const text = 'a password with "quotes", & more';
const search = new SecretSearch([
  { name: 'key', bytes },
  { name: 'words', words },
  { name: 'text', text },
]);
const around = (middle: string | Buffer, before = 0): Buffer =>
  Buffer.concat([randomBytes(1_000 + before), Buffer.from(middle), randomBytes(1_000)]);
/** base64 of something larger, in which the secret begins at any place. */
const within = (secret: Buffer, before: number): string => around(secret, before).toString('base64');

describe('the search for secrets', () => {
  it.each([
    ['bytes', bytes],
    ['hexadecimal', bytes.toString('hex')],
    ['hexadecimal in capitals', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['base64 of more', within(bytes, 0)],
    ['base64 of more, a byte further', within(bytes, 1)],
    ['base64 of more, two bytes further', within(bytes, 2)],
    ['a list of numbers', JSON.stringify(bytes)],
    ['a dumped text', Buffer.from(bytes.toString('hex')).toString('hex')],
  ])('finds bytes as %s', (_, form) => {
    expect(search.names(around(form))).toEqual(['key']);
  });

  it.each([
    ['as they are', words.join(' ')],
    ['in two-byte letters', Buffer.from(words.join(' '), 'utf16le')],
    ['in a list', JSON.stringify(words)],
    ['without spaces', words.join('')],
    ['in an address', encodeURIComponent(words.join(' '))],
    ['half of them', words.slice(5).join('-')],
    ['in hexadecimal', Buffer.from(words.join(' ')).toString('hex')],
    ['in base64', within(Buffer.from(words.join(' ')), 1)],
  ])('finds words %s', (_, form) => {
    expect(search.names(around(form))).toEqual(['words']);
  });

  it.each([
    ['as it is', text],
    ['in JSON', JSON.stringify({ text })],
    ['in an address', encodeURIComponent(text)],
    ['in base64', within(Buffer.from(text), 2)],
  ])('finds a text %s', (_, form) => {
    expect(search.names(around(form))).toEqual(['text']);
  });

  it('finds nothing where there is nothing', () => {
    expect(search.find(randomBytes(1_000_000))).toEqual([]);
    expect(search.find(words.toReversed().join(' '))).toEqual([]);
  });
});
