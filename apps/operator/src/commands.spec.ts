import { describe, expect, it } from '@jest/globals';
import { commands } from './commands.js';

describe('the help of the commands', () => {
  it.each(Object.entries(commands))('%s fits a terminal of 100 columns', (name, { usage, summary }) => {
    expect(usage.startsWith(`${name} `)).toBe(true);
    expect(`  export-blocks  ${summary}`.length).toBeLessThanOrEqual(100);
    expect(usage.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('names --cluster where it is taken', () => {
    const told = Object.entries(commands).filter(([, { usage }]) => usage.includes('--cluster DIR'));
    const taken = Object.entries(commands).filter(([, { cluster }]) => cluster !== undefined);
    expect(told.map(([name]) => name)).toEqual(taken.map(([name]) => name));
  });
});
