import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { builtInFunctions } from '@shardnode/compiler';
import { builtInFunctionsPage } from './built-in-functions-page.js';

it('docs/built-in-functions.md is what `npm run docs:built-ins` writes', () => {
  const page = readFileSync(new URL('../../docs/built-in-functions.md', import.meta.url), 'utf8');
  expect(page).toBe(builtInFunctionsPage());
});

it('has each function once', () => {
  const rows = builtInFunctionsPage().match(/^\| `fn \w+!/gm)!;
  expect(rows.map((row) => row.slice('| `fn '.length, -1)).sort()).toEqual(
    builtInFunctions.map(({ name }) => name).sort(),
  );
});
