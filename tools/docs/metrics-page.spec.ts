import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { metricsPage } from './metrics-page.js';

it('docs/metrics.md is what `npm run docs:metrics` writes', () => {
  expect(readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')).toBe(metricsPage());
});
