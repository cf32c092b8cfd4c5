import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { engineOptions } from './index.js';

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

it('image, npm start and the programs that start services pass the same options to Node', () => {
  expect(/^ENV .*NODE_OPTIONS="?([^"\n]+)"?$/m.exec(textOf('Dockerfile'))?.[1]).toBe(engineOptions.join(' '));
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(scripts['start']).toBe(`node ${engineOptions.join(' ')} apps/localnet/dist/main.js`);
});
