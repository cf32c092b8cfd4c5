import { expect, it } from '@jest/globals';
import { messageText, plainText, readableText } from './plain-text.js';

const hexOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

it('leaves text as it is, whatever it looks like', () => {
  expect(plainText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
});

it.each(['\u202e', '\u2066', '\u200b', '\u0007', '\n', '\u2028', '\ufeff', '\u{e0041}'])('marks %j', (hidden) => {
  expect(plainText(`a${hidden}b`)).toBe('a\ufffdb');
});

it('cuts at 64 characters, not inside one', () => {
  expect(plainText('\u{1f600}'.repeat(1_000))).toBe(`${'\u{1f600}'.repeat(64)}…`);
  expect(plainText('x'.repeat(64))).toBe('x'.repeat(64));
});

it('reads messages: text if it is text, else its digits', () => {
  expect(messageText(hexOf('für Anna'))).toBe('für Anna');
  expect(messageText(hexOf('a\u202eb'))).toBe('a\ufffdb');
  expect(messageText('fffe00')).toBe('fffe00');
  expect(messageText('')).toBe('');
});

it('finds the text in bytes, if every character of it can be seen', () => {
  expect(readableText(hexOf('für Anna'))).toBe('für Anna');
  for (const hex of ['', 'fffe00', '0a', hexOf('a\u202eb')]) expect(readableText(hex)).toBeUndefined();
});
