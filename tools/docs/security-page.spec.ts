import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const page = new URL('../../docs/security.md', import.meta.url);
const text = readFileSync(page, 'utf8');

const rows = text
  .slice(text.indexOf('## Protections'), text.indexOf('## Floods'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (-+|what could happen) /.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));

interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** `[name](../path.spec.ts) "title", "title"` */
const testsOf = (cell: string): NamedTest[] =>
  [...cell.matchAll(/\]\(\.\.\/([^)]+\.spec\.ts)\)((?:,? "[^"]+")*)/g)].flatMap(([, file, titles]) =>
    [...titles!.matchAll(/"([^"]+)"/g)].map(([, title]) => ({ file: file!, title: title! })),
  );

const isTestOf = ({ file, title }: NamedTest): boolean => {
  const path = new URL(`../../${file}`, import.meta.url);
  if (!existsSync(path)) return false;
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => readFileSync(path, 'utf8').includes(quoted));
};

describe('docs/security.md', () => {
  it('has protections', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows.map((cells) => [cells[0]!, cells] as const))('%s: names a test that exists', (_threat, cells) => {
    expect(cells).toHaveLength(3);
    const tests = testsOf(cells[2]!);
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((test) => !isTestOf(test))).toEqual([]);
  });

  it.each(rows.map((cells) => [cells[0]!, cells[1]!] as const))('%s: names code that exists', (_threat, protection) => {
    const files = [...protection.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => file!);
    expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
    expect(files.length > 0 || protection === 'all of it').toBe(true);
  });
});
