import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { lookOf, placeOnChain, searchedText } from './index.js';

const hash = '00ff3a'.padEnd(64, '9c4d');
const key = `02${hash}`;
const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const contract = '27bLZxPc6GvGVJzGDWTGPBk8qFtDAsrLvQW7xXpvbEqHc';
const multisig = `X3${'7bLZxPc6GvGVJzGDWTGPBk8qFtDAsrLvQW7'.repeat(40)}`;
const inTwo = (text: string, by: string, at = 30): string => `${text.slice(0, at)}${by}${text.slice(at)}`;
const inFours = (text: string): string => text.match(/.{1,4}/g)!.join(' ');

/** Forms in which a thing is pasted. */
const forms: readonly (readonly [string, (thing: string) => string])[] = [
  ['as it is', (thing) => thing],
  ['with blanks around', (thing) => ` \t${thing}\r\n`],
  ['with blanks that do not break', (thing) => `\u00a0\u202f${thing}\u3000`],
  ['with zero-width characters around', (thing) => `\ufeff\u200b${thing}\u200b\u2060\u200d`],
  ['with zero-width characters inside', (thing) => inTwo(thing, '\u200b\u00ad')],
  ['with marks of direction', (thing) => `\u202a\u2066${thing}\u2069\u202c\u200e`],
  ['in quotes', (thing) => `"${thing}"`],
  ['in the quotes of other languages', (thing) => `„${thing}“`],
  ['in guillemets', (thing) => `« ${thing} »`],
  ['in code quotes', (thing) => `\`${thing}\``],
  ['in brackets', (thing) => `([{<${thing}>}])`],
  ['at the end of a sentence', (thing) => `${thing}.`],
  ['with punctuation around', (thing) => `;,${thing}!?…`],
  ['as a member of JSON', (thing) => `"address": "${thing}",`],
  ['as a label and a value', (thing) => `Transaction ID : ${thing}`],
  ['within a sentence', (thing) => `please look at ${thing} for me`],
  ['as a value of a shell', (thing) => `export ID=${thing};`],
  ['with the scheme of wallets', (thing) => `alephium:${thing}`],
  ['with another scheme', (thing) => `web+coin://${thing}`],
  ['with a scheme and parameters', (thing) => `alephium:${thing}?amount=1.5&label=x`],
  ['with a group suffix', (thing) => `${thing}:0`],
  ['with a scheme and a group suffix, in quotes', (thing) => `'alephium:${thing}:13'`],
  ['split by a line end', (thing) => inTwo(thing, '\n')],
  ['split by a line end near its end', (thing) => inTwo(thing, '\r\n', thing.length - 1)],
  ['split by a blank', (thing) => inTwo(thing, ' ')],
  ['split by a hyphen and a line end', (thing) => inTwo(thing, '-\n')],
  ['split by a mail', (thing) => inTwo(`> ${thing}`, '\n> ')],
  ['split, with a scheme and a group suffix', (thing) => `alephium:${inTwo(thing, '\n')}:2`],
  ['split, as a member of JSON', (thing) => `{"id": "${inTwo(thing, '\n   ')}"}`],
  ['in groups of four', inFours],
  [
    'in wide characters',
    (thing) => thing.replaceAll(/[!-~]/g, (c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0)),
  ],
  ['as a page', (thing) => `https://explorer.example/any/${thing}`],
  ['as a page in angle brackets', (thing) => `<http://localhost:3000/any/${thing}/>`],
  ['as a page without a scheme', (thing) => `explorer.example/any/${thing}`],
  ['as a page of a port', (thing) => `127.0.0.1:23000/tx/${thing}#top`],
  ['as a page with a tab', (thing) => `https://explorer.example/any/${thing}/events?page=2#list`],
  ['as a page with a group suffix', (thing) => `https://explorer.example/any/${thing}:0?x=1`],
  ['as a page behind a sign', (thing) => `https://explorer.example/#/any/${thing}`],
  ['as a page behind a sign and a mark', (thing) => `https://explorer.example/app/#!/any/${thing}?tab=x`],
  [
    'as a page that has another before it',
    (thing) => `https://explorer.example/addresses/${'1'.repeat(45)}/in/${thing}`,
  ],
  ['as a parameter of a page', (thing) => `https://explorer.example/show?id=${thing}&x=1`],
  ['as a search of a page', (thing) => `https://explorer.example/find?q=%22${thing}%22`],
  [
    'as a link of Markdown',
    (thing) => `[${thing.slice(0, 6)}…${thing.slice(-4)}](https://explorer.example/any/${thing})`,
  ],
  ['escaped as an address of a page', (thing) => encodeURIComponent(`"${thing}"`).replaceAll('%22', '"')],
];

describe.each(forms)('a thing %s', (_, form) => {
  it.each([
    ['hash', hash],
    ['public key', key],
    ['address', address],
    ['contract', contract],
    ['address of many keys', multisig],
  ])('is a %s', (_kind, thing) => {
    expect(searchedText(form(thing))).toBe(thing);
  });
});

it.each([hash, address, contract])('finds %s between words, although it is split', (thing) => {
  expect(searchedText(`The sender ${inTwo(thing, '\n')} of this one`)).toBe(thing);
});

it.each([
  `0x${hash}`,
  `0X${hash}`,
  `0x${hash.toUpperCase()}`,
  `"\\x${hash}"`,
  `tx:0x${hash}`,
  `0x${inTwo(hash, '\n')}`,
  `https://explorer.example/tx/0x${hash}`,
  `${hash.toUpperCase()}`,
  `hash=${hash} height=12`,
  `${hash}:0`,
])('takes %j as a hash', (raw) => {
  expect(searchedText(raw)).toBe(hash);
});

it.each([
  ['1234', '1234'],
  ['#1234', '1234'],
  ['# 1,234', '1234'],
  ['1 234', '1234'],
  ['1\u202f234\u00a0567', '1234567'],
  ["1'234'567", '1234567'],
  ['1’234', '1234'],
  ['1.234.567', '1234567'],
  ['12,34,567', '1234567'],
  ['1_234', '1234'],
  ['Block #1,234', '1234'],
  ['height: 1,234', '1234'],
  ['block:1234', '1234'],
  ['"height": 1234,', '1234'],
  ['Block no. 7', '7'],
  ['/blocks/1234', '1234'],
  ['(７７)', '77'],
  ['00012', '00012'],
  ['https://explorer.example/blocks/1234', '1234'],
  ['https://explorer.example/#/height/1234', '1234'],
  ['0>2@1,234', '0/2 1234'],
  ['Chain 0 → 2, height 1,234', '0/2 1234'],
  ['"0 -> 2 #1234"', '0/2 1234'],
  ['chain: 3/1', '3/1'],
  ['https://explorer.example/chain/3/1?x', '3/1'],
  ['https://explorer.example/api/chains/3/1/blocks/22', '3/1 22'],
])('takes %j as %s', (raw, text) => {
  expect(searchedText(raw)).toBe(text);
});

it.each([
  ['GOLD  coin', 'GOLD coin'],
  ['“GOLD”', 'GOLD'],
  [' \ufeffGO\u200bLD\u200b ', 'GOLD'],
  ['dev 1', 'dev 1'],
  ['$GOLD', '$GOLD'],
  ['USD.e', 'USD.e'],
  ['\u{1f469}\u200d\u{1f680}', '\u{1f469}\u200d\u{1f680}'],
  ['()', '()'],
  ['1DrDyT…rpQH', '1DrDyT…rpQH'],
  ['1DrDyT...rpQH', '1DrDyT…rpQH'],
  ['"1DrDy"', '1DrDy'],
  ['alephium:1DrDy', '1DrDy'],
  ['0xab12f', 'ab12f'],
  ['https://explorer.example/#/addresses/', 'https://explorer.example/#/addresses'],
  ['https://explorer.example/find?q=GOLD+coin', 'GOLD coin'],
  ['\u200b\u2060 \n', ''],
  ['', ''],
])('takes %j as the text %j', (raw, text) => {
  expect(searchedText(raw)).toBe(text);
});

it('takes what it returns as the same', () => {
  const piece = fc.oneof(
    fc.constantFrom(hash, address, '0x', ':', '#', '/', 'a.b/', ' ', '\n', '12', '1,234', '…', '"', '(', '0/2', 'GOLD'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = searchedText(pieces.join(''));
      expect(searchedText(text)).toBe(text);
    }),
  );
});

it('reads long texts of one kind, and cuts them', () => {
  for (const unit of ['x', ' ', '0', 'a:', '1 ', '/', '.', '(', '-\n', '\u200b', '\u{1f680}', 'ab ', '%', "a'"])
    expect(searchedText(unit.repeat(1_000_000)).length).toBeLessThanOrEqual(8_192);
  expect(searchedText('x y '.repeat(1_000_000)).length).toBeLessThanOrEqual(256);
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
  ['', 'empty'],
  [hash, 'hash'],
  [key, 'publicKey'],
  ['12345678901234', 'height'],
  ['0/2 77', 'place'],
  [address, 'address'],
  [hash.slice(1), 'brokenHash'],
  ['1DrDyT…rpQH', 'shortened'],
  ['1DrDy', 'beginning'],
  ['https://explorer.example/docs', 'link'],
  ['GOLD', 'name'],
  ['x', 'other'],
  ['x '.repeat(40), 'other'],
])('says that %j looks like %s', (text, look) => {
  expect(lookOf(text)).toBe(look);
});
