import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ruleGroups, warningTexts } from '@shardnode/compiler';
import { compileErrorsPage } from './compile-errors-page.js';

it('docs/compile-errors.md is what `npm run docs:compile-errors` writes', () => {
  const page = readFileSync(new URL('../../docs/compile-errors.md', import.meta.url), 'utf8');
  expect(page).toBe(compileErrorsPage());
});

it('has each rule and each warning once, in three cells', () => {
  const rows = compileErrorsPage().match(/^\| `.*$/gm)!;
  const names = [...Object.values(ruleGroups).flatMap((texts) => Object.keys(texts)), ...Object.keys(warningTexts)];
  expect(rows.map((row) => row.split('`')[1])).toEqual(names);
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
});
