import { describe, expect, it } from '@jest/globals';
import { openProgress, progressText } from './progress.js';
import { tableLines } from '@shardnode/core/terminal';
import { bytesText, durationText } from './quantities.js';

describe('progress', () => {
  const drawn = (isTTY: boolean): string[] => {
    const texts: string[] = [];
    let time = 0;
    const output = { isTTY, write: (text: string) => texts.push(text) };
    const progress = openProgress({ title: 'Importing', unit: 'blocks', output, now: () => time });
    for (let done = 0; done <= 3000; done += 100, time += 1000) progress.at(done, 3000);
    progress.end();
    return texts;
  };

  it('moves a bar on a terminal and shows rate and time left', () => {
    const texts = drawn(true);
    expect(texts[1]).toBe(
      '\r\u001b[KImporting  [........................]  3 %  100 of 3,000 blocks  100 blocks/s  29 s left',
    );
    expect(texts.at(-2)).toContain('[########################]  100 %  3,000 of 3,000 blocks');
    expect(texts.at(-1)).toBe('\n');
  });

  it('writes a line periodically without a terminal', () => {
    expect(drawn(false)).toEqual([
      'Importing  33 %  1,000 of 3,000 blocks  100 blocks/s  20 s left\n',
      'Importing  66 %  2,000 of 3,000 blocks  100 blocks/s  10 s left\n',
      'Importing  100 %  3,000 of 3,000 blocks  100 blocks/s  0 s left\n',
    ]);
  });

  it('shows no time left before a rate is known', () => {
    expect(progressText(0, 0, 0, 'blocks')).toBe('0 %  0 of 0 blocks');
  });
});

describe('texts', () => {
  it('are for people', () => {
    expect([bytesText(999), bytesText(12_345), bytesText(2_500_000_000)]).toEqual(['999 bytes', '12.3 kB', '2.5 GB']);
    expect([durationText(45_000), durationText(200_000), durationText(7_500_000)]).toEqual([
      '45 s',
      '3 min 20 s',
      '2 h 5 min',
    ]);
    const rows = [
      ['a', '1'],
      ['bcd', '200'],
    ];
    expect(tableLines([{ title: 'name' }, { title: 'n', right: true }], rows)).toEqual([
      'name    n',
      '----  ---',
      'a       1',
      'bcd   200',
    ]);
  });
});
