import { expect, it } from '@jest/globals';
import { lookOf, placeOnChain, searchedText } from './searched-text.js';

it.each([
  ['  0011aa\n', '0011aa'],
  ['GOLD  coin', 'GOLD coin'],
  ['https://explorer.example/transactions/00ff?x=1#y', '00ff'],
  ['https://explorer.example/#/addresses/', ''],
  ['https://explorer.example/blocks/00ff/', '00ff'],
])('takes %j as %j', (raw, text) => {
  expect(searchedText(raw)).toBe(text);
});

it.each(['0/2 1234', '0>2@1234', '0 -> 2 1234', '0→2@1234'])('takes %s as a height of a chain', (text) => {
  expect(placeOnChain(text)).toEqual({ from: 0, to: 2, height: 1234 });
});

it.each(['0/2', '0 -> 2', '0>2'])('takes %s as a chain', (text) => {
  expect(placeOnChain(text)).toEqual({ from: 0, to: 2 });
});

it.each(['1234', 'a/2 1', '0/2 12345678901', '0/2/1', '1ABC'])('takes %s as no place on a chain', (text) => {
  expect(placeOnChain(text)).toBeUndefined();
});

it.each([
  ['ab'.repeat(32), 'hash'],
  [`02${'ab'.repeat(32)}`, 'publicKey'],
  ['12345678901234', 'height'],
  ['0/2 77', 'place'],
  ['1C2RAVWSuaXw8xtUxqVERR7ChKBE1XgscNFw73NSHE1v3', 'address'],
  ['0'.repeat(20).concat('ab'.repeat(20)), 'brokenHash'],
  ['GOLD', 'name'],
  ['x', 'other'],
  [`${'x '.repeat(40)}`, 'other'],
])('says that %j looks like %s', (text, look) => {
  expect(lookOf(text)).toBe(look);
});

it('cuts what is too long to mean anything', () => {
  expect(searchedText('x'.repeat(1_000_000))).toHaveLength(256);
});
