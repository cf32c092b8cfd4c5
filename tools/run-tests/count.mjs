import { existsSync, readFileSync } from 'node:fs';

const none = { passed: 0, failed: 0, skipped: 0 };

const add = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped });

const countsOfFile = ({ status, assertionResults }) => {
  const having = (...wanted) => assertionResults.filter((result) => wanted.includes(result.status)).length;
  const failed = having('failed');
  return {
    passed: having('passed'),
    // A file that could not run has no tests to count.
    failed: failed === 0 && status === 'failed' ? 1 : failed,
    skipped: having('pending', 'skipped', 'todo', 'disabled'),
  };
};

/** Counts of each test file of a report, by its path; undefined when there is no report. */
export const countsByFile = (report) =>
  report !== undefined && existsSync(report)
    ? new Map(JSON.parse(readFileSync(report, 'utf8')).testResults.map((file) => [file.name, countsOfFile(file)]))
    : undefined;

export const failedFiles = (files) =>
  [...(files ?? new Map())].filter(([, { failed }]) => failed > 0).map(([name]) => name);

/** The sum over all files; a step without a report counts as one test. */
export const sumOf = (files, succeeded) => {
  if (!files) return succeeded ? { ...none, passed: 1 } : { ...none, failed: 1 };
  const sum = [...files.values()].reduce(add, none);
  return sum.failed === 0 && !succeeded ? { ...sum, failed: 1 } : sum;
};
