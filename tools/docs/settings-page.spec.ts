import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { settingsPage } from './settings-page.js';

it('docs/settings.md is what `npm run docs:settings` writes', () => {
  expect(readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsPage());
});
