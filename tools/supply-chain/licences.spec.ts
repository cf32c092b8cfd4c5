import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { licenceKind, licenceReport } from './licences.js';
import { lockedPackages } from './lock.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const refusedLock = fileURLToPath(new URL('fixtures/refused-lock.json', import.meta.url));

describe('npm run licences', () => {
  const run = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync('npm', ['run', '--silent', 'licences', '--', ...args], { cwd: root, encoding: 'utf8' });

  it('ends with 0: everything that is shipped is under a permissive licence', () => {
    const { status, stdout } = run();
    expect(stdout).toMatch(/^MIT +permissive +\d+ {2}\S/);
    expect(stdout).toMatch(/\n\d+ packages are shipped, all under permissive licences\.\n$/);
    expect(status).toBe(0);
  });

  it('ends with 1 and names each package under copyleft, under words of its own or without a licence', () => {
    const { status, stdout } = run(refusedLock);
    const named = /Not to be shipped: (.*)\.\n$/.exec(stdout)?.[1]?.split(', ');
    expect(named?.sort()).toEqual([
      '@some/library@1.2.0 (LGPL-2.1-or-later)',
      'both@1.0.0 (MIT AND MPL-2.0)',
      'of-everybody@3.0.0 (GPL-3.0-only)',
      'own-words@5.0.0 (SEE LICENSE IN LICENSE.txt)',
      'unsaid@4.0.0 (no licence)',
    ]);
    expect(status).toBe(1);
  });
});

describe('a licence', () => {
  it.each([
    ['MIT', 'permissive'],
    ['(MIT OR GPL-3.0-only)', 'permissive'],
    ['GPL-3.0-only OR BSD-3-Clause', 'permissive'],
    ['MIT AND ISC', 'permissive'],
    ['MIT AND EPL-2.0', 'copyleft'],
    ['AGPL-3.0-or-later', 'copyleft'],
    ['LGPL-3.0-only', 'copyleft'],
    ['MPL-2.0', 'copyleft'],
    ['MIT AND (ISC OR Zlib)', 'unknown'],
    ['MIT and ISC', 'unknown'],
    ['UNLICENSED', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ] as const)('%s is %s', (expression, kind) => {
    expect(licenceKind(expression)).toBe(kind);
  });
});

describe('the table', () => {
  it('has a row for each licence, permissive ones first', () => {
    const shipped = lockedPackages(refusedLock).filter(({ isProduction }) => isProduction);
    const { text } = licenceReport(shipped, 90);
    const [table = ''] = text.split('\n\n');
    const kinds = table.split('\n').map((line) => /permissive|copyleft|unknown/.exec(line)?.[0]);
    expect(kinds).toEqual(['permissive', 'permissive', 'copyleft', 'copyleft', 'copyleft', 'unknown', 'unknown']);
    expect(table).toContain('2  free@1.0.0 free@2.0.0');
  });

  it('stays within the terminal', () => {
    const { text } = licenceReport(
      lockedPackages(join(root, 'package-lock.json')).filter(({ isProduction }) => isProduction),
      110,
    );
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
  });
});
