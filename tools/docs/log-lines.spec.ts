import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs', 'observability.md'), 'utf8');

/** Rows of the table of log lines: level and text. */
const rows = [...page.matchAll(/^\| (info|warn|error|fatal) \| `([^`]+)` \|/gm)].map(([, level, text]) => ({
  level,
  text,
}));

const folders = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')),
);
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
);

describe('the table of log lines', () => {
  it('is there', () => {
    expect(rows.length).toBeGreaterThan(15);
  });

  it.each(rows)('$level: $text is logged so', ({ level, text }) => {
    const quoted = [`'${text}'`, `"${text}"`];
    const logged = sources.filter((source) => quoted.some((one) => source.includes(one)));
    expect(logged.length).toBeGreaterThan(0);
    const call = new RegExp(`\\.${level}\\(`);
    expect(logged.some((source) => call.test(source))).toBe(true);
  });
});
