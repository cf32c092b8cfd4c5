import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsc, unbuiltProjects } from './index.js';

describe('the check of a build', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const unbuilt = (): readonly string[] => unbuiltProjects(file('tsconfig.json'));
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'shardnode-build-')));
    const compilerOptions = { composite: true, outDir: 'dist', types: [], lib: ['es5'], noCheck: true };
    writeFileSync(file('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['a.ts'] }));
    writeFileSync(file('a.ts'), 'export const a = 1;\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds what was never built and what has changed since, but not what was written again as it was', () => {
    expect(unbuilt()).toEqual([folder]);
    expect(spawnSync(process.execPath, [tsc, '--build', folder]).status).toBe(0);
    expect(unbuilt()).toEqual([]);
    const later = new Date(Date.now() + 10_000);
    utimesSync(file('a.ts'), later, later);
    expect(unbuilt()).toEqual([]);
    writeFileSync(file('a.ts'), 'export const a = 2;\n');
    utimesSync(file('a.ts'), later, later);
    expect(unbuilt()).toEqual([folder]);
  });

  it('fails where there is nothing to build', () => {
    expect(() => unbuiltProjects(file('missing.json'))).toThrow(/missing\.json failed/);
  });
});
