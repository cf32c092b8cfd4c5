import { describe, expect, it } from '@jest/globals';
import { Differences } from '@shardnode/testing/replay';
import { asksForHelp, parseOptions, usage } from './options.js';
import { differencesTable } from './report.js';

describe('options of the replay', () => {
  const defaults = { folder: 'DIR', target: 'memory', permutations: 0, seed: 1, twice: false };

  it.each([
    ['DIR', {}],
    ['DIR --permutations 5 --seed 9', { permutations: 5, seed: 9 }],
    ['--twice DIR', { twice: true }],
    ['DIR --embedded', { target: 'embedded' }],
    ['DIR --cluster', { target: 'cluster' }],
  ])('%s', (line, expected) => {
    expect(parseOptions(line.split(' '))).toEqual({ ...defaults, ...expected });
  });

  it('are listed with --help, with any other options', () => {
    expect([['--help'], ['-h'], ['DIR', '--help']].map(asksForHelp)).toEqual([true, true, true]);
    expect([[], ['DIR'], ['DIR', '--twice']].map(asksForHelp)).toEqual([false, false, false]);
    for (const option of ['--permutations', '--seed', '--twice', '--embedded', '--cluster', '--help'])
      expect(usage).toContain(option);
  });

  it.each([
    ['', 'expected one folder'],
    ['A B', 'expected one folder'],
    ['DIR --seed -1', /seed/],
    ['DIR --permutations 1.5', 'expects a whole number, got 1.5'],
    ['DIR --colour', /colour/],
    ['DIR --embedded --cluster', 'exclude each other'],
  ])('refuses "%s"', (line, message) => {
    expect(() => parseOptions(line.split(' ').filter(Boolean))).toThrow(message);
  });
});

describe('the table of differences', () => {
  it('shows where, what, expected and actual, and how many more there are', () => {
    const differences = new Differences();
    differences.compare('line 1', 'weight', '12', 13n);
    differences.compare('line 1', 'height', 1, 1);
    differences.compare('line 2', 'state', { root: 'ab' }, undefined);
    for (let i = 0; i < 50; i++) differences.compare(`line ${i}`, 'tips', ['x'], ['y'.repeat(300)]);
    expect(differences.compared).toBe(53);
    const lines = differencesTable(differences).split('\n');
    expect(lines[0]).toMatch(/^where +what +expected +actual$/);
    expect(lines[2]).toMatch(/^line 1 +weight +12 +13$/);
    expect(lines[3]).toMatch(/^line 2 +state +\{"root":"ab"\} +nothing$/);
    expect(lines.at(-1)).toBe('... and 12 more');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(350);
  });
});
