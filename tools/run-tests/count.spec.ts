import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countsByFile, failedFiles, sumOf } from './count.mjs';

describe('the count of a step', () => {
  let folder: string;
  let report: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-count-'));
    report = join(folder, 'report.json');
    const tests = (...statuses: string[]) => statuses.map((status) => ({ status }));
    const testResults = [
      { name: '/a.spec.ts', status: 'passed', assertionResults: tests('passed', 'passed', 'pending') },
      { name: '/b.spec.ts', status: 'failed', assertionResults: tests('passed', 'failed') },
      { name: '/c.spec.ts', status: 'failed', assertionResults: [] },
    ];
    writeFileSync(report, JSON.stringify({ testResults }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('adds up the tests of all files; one that could not run is a failure', () => {
    const files = countsByFile(report);
    expect(sumOf(files, false)).toEqual({ passed: 3, failed: 2, skipped: 1 });
    expect(failedFiles(files)).toEqual(['/b.spec.ts', '/c.spec.ts']);
  });

  it('never calls a step passed that did not end well', () => {
    const files = new Map([['/a.spec.ts', { passed: 2, failed: 0, skipped: 0 }]]);
    expect(sumOf(files, false)).toMatchObject({ failed: 1 });
    expect(sumOf(files, true)).toMatchObject({ passed: 2, failed: 0 });
  });

  it('counts a step without a report as one test, also one whose report never came', () => {
    expect(countsByFile(join(folder, 'none.json'))).toBeUndefined();
    expect(sumOf(undefined, true)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(sumOf(undefined, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
