import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { grammarHints, ruleGroups, ruleHints, warningTexts } from '@shardnode/compiler';
import { compileErrorsPage } from './compile-errors-page.js';

it('docs/compile-errors.md is what `npm run docs:compile-errors` writes', () => {
  const page = readFileSync(new URL('../../docs/compile-errors.md', import.meta.url), 'utf8');
  expect(page).toBe(compileErrorsPage());
});

it('has each rule and each warning once, in three cells', () => {
  const [texts, hints] = compileErrorsPage().split('## Hints');
  const rows = texts!.match(/^\| `.*$/gm)!;
  const names = [...Object.values(ruleGroups).flatMap((texts) => Object.keys(texts)), ...Object.keys(warningTexts)];
  expect(rows.map((row) => row.split('`')[1])).toEqual(names);
  const hintRows = hints!.match(/^\| (grammar|`).*$/gm)!;
  expect(hintRows).toHaveLength(Object.keys(grammarHints).length + Object.keys(ruleHints).length);
  for (const row of [...rows, ...hintRows]) expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
});
