import { describe, expect, it } from '@jest/globals';
import { failedTestsOf, failuresOf, fileRowsOf, type Report, rowOf, sumOf, type Task } from './count.mjs';

const task: Task = {
  taskId: 'http:test',
  status: 1,
  startTime: '2026-11-24T16:22:33.000Z',
  endTime: '2026-11-24T16:22:35.500Z',
  cacheStatus: 'cache-miss',
};
const succeeded: Task = { ...task, status: 0 };

const file = (name: string, status: string, message: string, ...statuses: string[]) => {
  const assertionResults = statuses.map((each, i) => ({ status: each, fullName: `test ${i}` }));
  return { name, status, message, startTime: 1_000, endTime: 1_000 + 500 * (1 + statuses.length), assertionResults };
};
const good = file('/a.spec.ts', 'passed', '', 'passed', 'passed', 'pending');
const bad = file('/b.spec.ts', 'failed', '  ● adds\n', 'passed', 'failed');
const broken = file('/c.spec.ts', 'failed', 'cannot find module', ...[]);
const report: Report = { testResults: [good, bad, broken] };

describe('the row of a task', () => {
  it('adds up the tests of all files; one that could not run is a failure', () => {
    const counts = { passed: 3, failed: 2, skipped: 1 };
    expect(rowOf(task, report)).toEqual({ name: 'http:test', seconds: 2.5, cached: false, ...counts });
  });

  it('never calls a task passed that did not end well', () => {
    expect(rowOf(task, { testResults: [good] })).toMatchObject({ passed: 2, failed: 1 });
    expect(rowOf(succeeded, { testResults: [good] })).toMatchObject({ passed: 2, failed: 0 });
  });

  it('has a failure when a process of tests does not end', () => {
    const output = 'PASS unit\nA worker process has failed to exit gracefully and has been force exited.\n';
    expect(rowOf(succeeded, { testResults: [good] }, output)).toMatchObject({ passed: 2, failed: 1 });
    const reason = [expect.stringContaining('keeps their process alive')];
    expect(failuresOf(succeeded, { testResults: [good] }, output)).toEqual(reason);
    expect(failedTestsOf(succeeded, { testResults: [good] }, output)).toEqual(reason);
    expect(failuresOf(succeeded, { testResults: [good] }, 'PASS unit')).toEqual([]);
  });

  it('counts a task without a report as one test', () => {
    expect(rowOf(succeeded, undefined)).toMatchObject({ passed: 1, failed: 0, skipped: 0 });
    expect(rowOf(task, undefined)).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
  });

  it('says that its outcome came from the cache', () => {
    expect(rowOf({ ...succeeded, cacheStatus: 'local-cache-hit' }, report).cached).toBe(true);
  });
});

describe('the sum of all rows', () => {
  const row = { passed: 2, failed: 0, skipped: 0 };

  it('adds them up', () => {
    expect(sumOf([row, { passed: 1, failed: 3, skipped: 1 }], false)).toEqual({ passed: 3, failed: 3, skipped: 1 });
  });

  it('is never without a failure when the run failed or ran nothing', () => {
    expect(sumOf([row], false)).toEqual({ ...row, failed: 1 });
    expect(sumOf([row], true)).toEqual(row);
    expect(sumOf([], true)).toMatchObject({ failed: 1 });
  });
});

describe('what has failed', () => {
  it('is each file with its reason', () => {
    expect(failuresOf(task, report)).toEqual([
      'FAIL http:test /b.spec.ts\n  ● adds',
      'FAIL http:test /c.spec.ts\ncannot find module',
    ]);
  });

  it('is the task with the end of its output when none of its tests has', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
    const end = lines.slice(10).join('\n');
    expect(failuresOf(task, undefined, `${lines.join('\n')}\n\n`)).toEqual([
      `FAIL http:test: exit code 1, its output ends with\n${end}`,
    ]);
    expect(failuresOf(succeeded, { testResults: [good] })).toEqual([]);
  });

  it('is told once more by name alone', () => {
    expect(failedTestsOf(task, report)).toEqual(['/b.spec.ts: test 1', '/c.spec.ts: could not run']);
    expect(failedTestsOf(task, undefined)).toEqual(['http:test: exit code 1']);
    expect(failedTestsOf(succeeded, { testResults: [good] })).toEqual([]);
  });
});

it('has a row for each file, those first that took longest', () => {
  const counts = { passed: 2, failed: 0, skipped: 1 };
  const other = { task: { ...task, taskId: 'core:lint' }, report: undefined };
  expect(fileRowsOf([{ task, report }, other]).slice(0, 2)).toEqual([
    { task: 'http:test', name: '/a.spec.ts', seconds: 2, ...counts },
    { task: 'http:test', name: '/b.spec.ts', seconds: 1.5, passed: 1, failed: 1, skipped: 0 },
  ]);
});
