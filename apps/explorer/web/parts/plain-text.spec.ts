import { expect, it } from '@jest/globals';
import { messageText, plainText, readableText, writtenText } from './plain-text.js';

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

it.each([
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a profession with a tone of skin', '\u{1f469}\u{1f3fd}\u200d\u{1f680}'],
  ['a heart on fire, with its selector', '\u2764\ufe0f\u200d\u{1f525}'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a flag of letters', '\u{1f1e8}\u{1f1ed}'],
  ['a non-joiner in Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['a joiner behind a virama in Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['a conjunct that is kept apart in Hindi', '\u0915\u094d\u200c\u0937'],
  ['a sign that encloses a number in Arabic', '\u06dd\u0661\u0662'],
  ['words of any script', 'שלום 你好 Привет'],
])('keeps in a message %s', (_, text) => {
  expect(writtenText(text)).toBe(text);
  expect(messageText(hexOf(text))).toBe(text);
});

it.each([
  ['a change of direction', 'a\u202eb'],
  ['an isolate', 'a\u2066b'],
  ['a mark of direction', 'a\u200fb'],
  ['a zero-width space', 'a\u200bb'],
  ['a word joiner', 'a\u2060b'],
  ['a soft hyphen', 'a\u00adb'],
  ['a joiner between letters of Latin', 'a\u200db'],
  ['a non-joiner between digits', '1\u200c1'],
  ['a tag outside of a flag', 'a\u{e0061}b'],
  ['a control', 'a\u0007b'],
  ['a zero inside', 'a\0b'],
])('marks in a message %s', (_, text) => {
  expect(writtenText(text)).toBe(`${text[0]}\ufffd${text.at(-1)}`);
});

it('marks a flag that does not end, and a second joiner', () => {
  expect(writtenText('\u{1f3f4}\u{e0067}x')).toBe('\u{1f3f4}\ufffdx');
  expect(writtenText('\u0645\u200c\u200c\u0645')).toBe('\u0645\ufffd\ufffd\u0645');
});

it.each([
  ['line one\nline two', 'line one line two'],
  ['a\r\nb\tc\u2028d', 'a b c d'],
  ['  padded\0\0\0', 'padded'],
  ['\0\0padded \n', 'padded'],
])('makes of %j one line without padding', (text, line) => {
  expect(writtenText(text)).toBe(line);
});

it('shows the digits of a message of padding alone', () => {
  expect(messageText('0000')).toBe('0000');
});

it('leaves no joiner where a message is cut', () => {
  const family = '\u{1f468}\u200d\u{1f469}';
  expect(writtenText(`${'x'.repeat(62)}${family}`)).toBe(`${'x'.repeat(62)}\u{1f468}…`);
});

it('keeps none of that in names of tokens: two that look the same are the same', () => {
  for (const text of ['\u{1f468}\u200d\u{1f469}', '\u0645\u200c\u0645', 'USD\0', 'U\nSD'])
    expect(plainText(text)).toContain('\ufffd');
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
