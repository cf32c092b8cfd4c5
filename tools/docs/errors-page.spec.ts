import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { errorsPage } from './errors-page.js';

it('docs/errors.md is what `npm run docs:errors` writes', () => {
  expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsPage());
});
