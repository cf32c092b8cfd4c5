import { expect, it } from '@jest/globals';
import { parseAmount } from '../amounts.js';

it('amounts take no time that grows with the square of a long text', () => {
  const long = 1_000_000;
  // Of the processor: others may want it, too.
  const before = process.cpuUsage();
  for (const text of [
    '1'.repeat(long),
    `${'1'.repeat(long)}x`,
    `${'1'.repeat(long)} COIN`,
    `${'0'.repeat(long)}1 COIN`,
  ])
    parseAmount(text, 'COIN');
  parseAmount(`1${' '.repeat(long)}x COIN`, 'COIN');
  parseAmount(`.${'1'.repeat(long)}. COIN`, 'COIN');
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
