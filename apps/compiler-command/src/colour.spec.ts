import { describe, expect, it } from '@jest/globals';
import { paintFor } from './colour.js';

describe('colours of the output', () => {
  it.each([
    ['a pipe', {}],
    ['a terminal without colours, as by NO_COLOR', { isTTY: true, hasColors: () => false }],
  ])('%s has none', (_, output) => expect(paintFor(output)('red', 'text')).toBe('text'));

  it('a terminal with colours has them', () => {
    expect(paintFor({ isTTY: true, hasColors: () => true })('red', 'text')).toBe('\u001b[31mtext\u001b[0m');
  });
});
