/**
 * npm test: lint, type check, unit, integration and end-to-end tests (over the embedded network, then over processes with
 * PostgreSQL, NATS and Redis, then with faults), each benchmark for a second; a table of the steps and, last, the line
 * `N passed, N failed`. `npm run test:long` (LONG=1) runs the same with the full figures. What needs servers that are not
 * installed is skipped and said so; where CI is set it fails.
 *
 *   node tools/test.mjs [step ...]     only these steps: lint, types, unit, integration, e2e, cluster, faults, bench
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const long = process.env.LONG === '1';
const jestOptions = '--experimental-vm-modules --no-warnings';
const reports = 'node_modules/.cache/test-reports';

const jest = (project, options = [], { name = project, environment = {} } = {}) => ({
  command: [
    'node',
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    project,
    '--json',
    `--outputFile=${reports}/${name}.json`,
    ...options,
  ],
  environment: { NODE_OPTIONS: jestOptions, ...environment },
  report: `${reports}/${name}.json`,
});

const inOrder = ['--runInBand', '--forceExit'];

const steps = {
  lint: { command: ['node', 'tools/lint/run.mjs'] },
  types: { command: ['node', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.spec.json'] },
  unit: jest('unit', ['--maxWorkers=2']),
  integration: jest('integration', ['--runInBand']),
  e2e: jest('e2e', inOrder),
  cluster: jest('e2e', inOrder, { name: 'cluster', environment: { DEPLOYMENT: 'cluster' } }),
  faults: jest('faults', inOrder),
  bench: { command: ['node', 'bench/run.mjs'], environment: { BENCH_SECONDS: long ? '5' : '1' } },
};

/** Passed, failed and skipped tests of a step; a step without a report counts as one test. */
const count = (step, succeeded) => {
  if (!step.report || !existsSync(step.report))
    return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(
    readFileSync(step.report, 'utf8'),
  );
  const failed = Math.max(numFailedTests, numFailedTestSuites);
  return { passed: numPassedTests, failed: failed === 0 && !succeeded ? 1 : failed, skipped: numPendingTests };
};

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const chosen = process.argv.slice(2);
const rows = [];
for (const [name, step] of Object.entries(steps)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n=== ${name}`);
  const began = Date.now();
  const [program, ...args] = step.command;
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...step.environment },
  });
  rows.push({ name, seconds: (Date.now() - began) / 1000, ...count(step, status === 0) });
}

const total = { passed: 0, failed: 0, skipped: 0 };
console.log('\nstep          seconds   passed   failed  skipped');
for (const row of rows) {
  for (const key of Object.keys(total)) total[key] += row[key];
  const columns = [
    row.seconds.toFixed(1).padStart(7),
    ...['passed', 'failed', 'skipped'].map((key) => String(row[key]).padStart(8)),
  ];
  console.log(`${row.name.padEnd(12)} ${columns.join(' ')}`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
