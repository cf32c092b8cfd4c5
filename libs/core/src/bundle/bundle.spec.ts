import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleOf, loadProgram } from './index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shardnode-bundle-'));
  mkdirSync(join(folder, 'bundle'));
  writeFileSync(join(folder, 'module.js'), 'export const built = 1;\n');
  const { mtimeMs, size } = statSync(join(folder, 'module.js'));
  writeFileSync(join(folder, 'bundle/inputs.json'), JSON.stringify([['../module.js', mtimeMs, size]]));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bundle = (): string | undefined => bundleOf(pathToFileURL(join(folder, 'main.js')).href, 'serve');

it('a program starts from its bundle while all is as it was bundled', () => {
  expect(bundle()).toBe(pathToFileURL(join(folder, 'bundle/serve.js')).href);
});

it.each([
  ['a module was built again', () => utimesSync(join(folder, 'module.js'), 1, 1)],
  ['a module has another length', () => writeFileSync(join(folder, 'module.js'), '')],
  ['a module is gone', () => rmSync(join(folder, 'module.js'))],
  ['a bundling was broken off', () => rmSync(join(folder, 'bundle/inputs.json'))],
  ['a list is damaged', () => writeFileSync(join(folder, 'bundle/inputs.json'), '[["../mod')],
  ['there is no bundle', () => rmSync(join(folder, 'bundle'), { recursive: true })],
])('it starts from its modules when %s', (_, change) => {
  change();
  expect(bundle()).toBeUndefined();
});

it.each([
  ['its bundle', false],
  ['its module when that has changed', true],
])('a program runs %s', async (_, changed) => {
  const ran: string[] = [];
  writeFileSync(join(folder, 'bundle/serve.js'), 'globalThis.startedBundles = (globalThis.startedBundles ?? 0) + 1;\n');
  if (changed) writeFileSync(join(folder, 'module.js'), '');
  const started = globalThis as { startedBundles?: number };
  delete started.startedBundles;
  await loadProgram(pathToFileURL(join(folder, 'main.js')).href, 'serve', () => Promise.resolve(ran.push('module')));
  expect([started.startedBundles, ran]).toEqual(changed ? [undefined, ['module']] : [1, []]);
});
