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

/** Text of Jest when it has killed a process of its own that tests kept alive: a timer, a socket, a thread. */
const keptAlive = /A worker process has failed to exit gracefully|Jest did not exit one second after/;

/** Whether tests of a task have left something behind that keeps their process. @param output of the task */
const leaks = (output) => keptAlive.test(output);

const unended = 'its tests leave something that keeps their process alive: run Jest with --detectOpenHandles';

/** The counts of a task: those of its report, or one test where it has none. A task that did not end well has failed. */
const countsOf = (succeeded, report) => {
  if (!report) return succeeded ? { ...none, passed: 1 } : { ...none, failed: 1 };
  const sum = report.testResults.map(countsOfFile).reduce(add, none);
  return sum.failed === 0 && !succeeded ? { ...sum, failed: 1 } : sum;
};

/**
 * The row of a task.
 *
 * @param task as Nx writes it: `taskId`, `status` (exit code), `startTime`, `endTime` (ISO 8601), `cacheStatus`
 * @param report of Jest, undefined for a task without tests
 * @param output of the task; a process that does not end is a failure
 */
export const rowOf = ({ taskId, status, startTime, endTime, cacheStatus }, report, output = '') => ({
  name: taskId,
  seconds: (Date.parse(endTime) - Date.parse(startTime)) / 1000,
  cached: cacheStatus !== 'cache-miss',
  ...countsOf(status === 0 && !leaks(output), report),
});

/** The sum of all rows; a run that failed without a row that did counts as one failure. */
export const sumOf = (rows, succeeded) => {
  const sum = rows.reduce(add, none);
  return sum.failed === 0 && (!succeeded || rows.length === 0) ? { ...sum, failed: 1 } : sum;
};

/** The end of what a task printed: all that is known of a failure without a report. */
const endOf = (output) => output.trimEnd().split('\n').slice(-30).join('\n');

/** Failures of a task with their reasons. */
export const failuresOf = ({ taskId, status }, report, output = '') => {
  const files = (report?.testResults ?? []).filter((file) => file.status === 'failed');
  if (files.length > 0) return files.map(({ name, message }) => `FAIL ${taskId} ${name}\n${message.trimEnd()}`);
  if (status !== 0) return [`FAIL ${taskId}: exit code ${status}, its output ends with\n${endOf(output)}`];
  return leaks(output) ? [`FAIL ${taskId}: ${unended}`] : [];
};

/** Failed tests of a task by name, a line each, for a reader who has the end of the output alone. */
export const failedTestsOf = ({ taskId, status }, report, output = '') => {
  const tests = (report?.testResults ?? []).flatMap(({ name, status: ofFile, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed').map(({ fullName }) => fullName);
    return (failed.length === 0 && ofFile === 'failed' ? ['could not run'] : failed).map((test) => `${name}: ${test}`);
  });
  if (tests.length > 0) return tests;
  if (status !== 0) return [`${taskId}: exit code ${status}`];
  return leaks(output) ? [`${taskId}: ${unended}`] : [];
};

/** The spec files of tasks, slowest first: task, path, seconds and counts. */
export const fileRowsOf = (results) =>
  results
    .flatMap(({ task, report }) => (report?.testResults ?? []).map((file) => ({ task, file })))
    .map(({ task, file }) => ({
      task: task.taskId,
      name: file.name,
      seconds: (file.endTime - file.startTime) / 1000,
      ...countsOfFile(file),
    }))
    .sort((a, b) => b.seconds - a.seconds);
