import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { silentLogger } from '@shardnode/core/observability';
import { type SourceNames } from './compile-job.js';
import { CompiledNames } from './compiled-names.js';
import { NamesFile } from './names-file.js';

const namesOf = (contract: string, number = 0, padding = ''): SourceNames => ({
  codeHashes: [`release ${number}`, `debug ${number}`],
  contract,
  functions: [{ name: `f${padding}`, isPublic: true, usePreapprovedAssets: false }],
  events: [],
  errorCodes: [],
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'names-'));
  path = join(folder, 'names.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => {
  const file = new NamesFile(path, silentLogger);
  return { file, names: new CompiledNames(file) };
};

it('are there after a restart, by code and by name', async () => {
  const { file, names } = open();
  names.add([namesOf('First', 1)]);
  names.add([namesOf('Other', 2), namesOf('Second', 3)]);
  names.add([namesOf('Renamed', 1)]);
  names.add([]);
  await file.close();
  expect(readdirSync(folder)).toEqual(['names.json']);
  for (const { names: read } of [{ names }, open()]) {
    expect(read.ofCode('debug 3')).toEqual(namesOf('Second', 3));
    expect(read.ofCode('release 1')?.contract).toBe('Renamed');
    expect(read.ofCode('release 4')).toBeUndefined();
    expect(read.named('SEC')).toEqual([{ contract: 'Second', codeHashes: ['release 3', 'debug 3'] }]);
    expect(read.named('first')).toEqual([]);
    expect(read.named('').map(({ contract }) => contract)).toEqual(['Renamed', 'Second', 'Other']);
  }
});

it('fill a file of a bounded size with the newest ones', async () => {
  const { file, names } = open();
  const padding = 'x'.repeat(16_000);
  const count = 400;
  for (let i = 0; i < count; i++) names.add([namesOf('Large', i, padding)]);
  await file.close();
  expect(readFileSync(path).length).toBeLessThanOrEqual(4 * 1024 * 1024 + 100);
  const { names: read } = open();
  expect(read.ofCode(`debug ${count - 1}`)).toBeDefined();
  expect(read.ofCode(`debug ${count - 200}`)).toBeDefined();
  expect(read.ofCode('debug 0')).toBeUndefined();
});

it.each([
  '',
  '{"format":1',
  '[]',
  'null',
  '{"format":2,"contracts":[{}]}',
  '{"format":1}',
  '{"format":1,"contracts":[{}]}',
])('are none where the file has %j, which the next names replace', async (content) => {
  writeFileSync(path, content);
  const { file, names } = open();
  expect(names.named('')).toEqual([]);
  names.add([namesOf('First', 1)]);
  await file.close();
  expect(open().names.ofCode('debug 1')).toEqual(namesOf('First', 1));
});

it('stay in memory where the file cannot be written', async () => {
  const file = new NamesFile(join(folder, 'none', 'names.json'), silentLogger);
  const names = new CompiledNames(file);
  names.add([namesOf('First', 1)]);
  await file.close();
  expect(names.ofCode('release 1')).toBeDefined();
});
