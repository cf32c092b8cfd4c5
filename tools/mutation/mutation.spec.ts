import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mutantsOf } from './mutants.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixture = 'tools/mutation/fixture/opening-hours.ts';
const changes = (source: string): string[] => mutantsOf('x.ts', source).map(({ from, to }) => `${from} -> ${to}`);

describe('mutants', () => {
  it.each([
    ['if (a < b) c();', ['a < b -> true', 'a < b -> false', 'a < b -> (a <= b)', 'c(); -> ;']],
    ['const x = a ?? !b;', ['a ?? !b -> (a && !b)', '!b -> (b)']],
    ['const x = [1n, true];', ['[1n, true] -> []', '1n -> (1n + 1n)', 'true -> false']],
    ['const x = a.filter(f).some(g);', ['a.filter(f).some(g) -> a.filter(f).every(g)', 'a.filter(f) -> a']],
    ['const f = () => { return x; };', ['return x; -> return undefined;']],
    ['const f = () => { if (a) return; b(); };', ['a -> true', 'a -> false', 'return; -> ;', 'b(); -> ;']],
    ["import { a } from 'b'; type T = 1; logger.warn('c');", []],
  ])('of %s', (source, expected) => expect(changes(source)).toEqual(expected));
});

describe('npm run test:mutation', () => {
  const run = (...args: string[]) =>
    spawnSync('npm', ['run', '-s', 'test:mutation', '--', ...args], { cwd: root, encoding: 'utf8' });

  it('tells which change the specs notice and which they do not, and leaves the file alone', () => {
    const before = readFileSync(`${root}/${fixture}`, 'utf8');
    const { stdout, status } = run(fixture, '--only', '1,5');
    expect(stdout).toMatch(/noticed .*opening-hours\.ts:2 {2}hour >= 9 {2}-> {2}\(hour > 9\)/);
    expect(stdout).toMatch(/SURVIVED .*opening-hours\.ts:2 {2}hour < 17 {2}-> {2}\(hour <= 17\)/);
    expect(stdout).toMatch(/1 of 2 noticed\n {2}5 .*17.*\n$/);
    expect(status).toBe(0);
    expect(readFileSync(`${root}/${fixture}`, 'utf8')).toBe(before);
  });

  it('refuses specs that fail without a change', () => {
    const { stdout, status } = run(fixture, '--sample', '1', '--specs', 'no spec has this name');
    expect([status, stdout]).toEqual([1, expect.stringContaining('the specs fail without a change')]);
  });
});
