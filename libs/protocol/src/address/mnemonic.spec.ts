import { describe, expect, it } from '@jest/globals';
import { hasValidChecksum, mnemonicFromEntropy, mnemonicMistake, parseMnemonic } from './index.js';

const right = mnemonicFromEntropy(new Uint8Array(16).fill(7));
const replaced = (index: number, word: string): string => right.with(index, word).join(' ');
const swapped = [right[1], right[0], ...right.slice(2)].join(' ');

describe('what is wrong with a mnemonic', () => {
  it.each([
    ['no words', '', 'it has 0 words, expected 12, 15, 18, 21 or 24 words'],
    ['one word', 'zoo', 'it has 1 word, expected 12, 15, 18, 21 or 24 words'],
    ['a word too few', right.slice(1).join(' '), 'it has 11 words, expected 12, 15, 18, 21 or 24 words'],
    ['two spaces', right.join('  '), 'single spaces separate its words'],
    ['a line break at the end', `${right.join(' ')}\n`, 'it ends with a line break: leave it out'],
    ['line breaks of Windows at the end', `${right.join(' ')} \r\n\r\n`, 'it ends with a line break: leave it out'],
    [
      'a line break between',
      right.join(' ').replace(`${right[1]} `, `${right[1]}\n`),
      'it has a line break after word 2; single spaces separate its words',
    ],
    ['a tab between', right.join('\t'), 'it has a tab after word 1; single spaces separate its words'],
    ['a tab at the end', `${right.join(' ')}\t`, 'it ends with a tab: leave it out'],
    [
      'a line break before the first',
      `\n${right.join(' ')}`,
      'it has a line break before its first word; single spaces separate its words',
    ],
    [
      'blanks of a word processor',
      right.join('\u00a0'),
      'it has a strange blank after word 1; single spaces separate its words',
    ],
    ['a space before the first', ` ${right.join(' ')}`, 'single spaces separate its words'],
    [
      'a word that is none',
      replaced(4, 'qwertz'),
      'word 5 is not in the English word list of BIP-39, whose words are in lower case',
    ],
    [
      'capital letters',
      right.join(' ').toUpperCase(),
      'words 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 are not in the English word list of BIP-39, whose words are in lower case',
    ],
    ['another order', swapped, 'its checksum is wrong; a word is mistyped, or the words are in a different order'],
  ])('%s', (_, text, expected) => {
    const words = parseMnemonic(text);
    expect(words !== undefined && hasValidChecksum(words)).toBe(false);
    const mistake = mnemonicMistake(text);
    expect(mistake).toEqual({ text: expected, isChecksum: expected.startsWith('its checksum') });
    expect(mistake.text).not.toContain('qwertz');
  });

  it('spaces after the last word are none', () => {
    expect(parseMnemonic(`${right.join(' ')}  `)).toEqual(right);
  });

  it('many spaces take no time that grows with the square of them', () => {
    expect(mnemonicMistake(`${' '.repeat(1_000_000)}x`).text).toBe('single spaces separate its words');
  });
});
