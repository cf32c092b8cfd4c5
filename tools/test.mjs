/**
 * `npm test` and similar commands: `nx run-many` over some targets, then a table, the slowest files, the failures with
 * reasons, the failed tests by name, and the line `N passed, N failed`. Tests are counted from the reports of Jest; a task without a report counts as one.
 *
 *   node tools/test.mjs TARGET ...      for example: node tools/test.mjs test integration
 *   --table FILE                        writes a page with a row for each spec file, too
 *   --in-memory                         temporary files are in memory, where it has a folder for them
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { failedTestsOf, failuresOf, fileRowsOf, rowOf, sumOf } from './run-tests/count.mjs';
import { makeMemoryFolder } from './run-tests/memory-folder.mjs';

const root = new URL('../', import.meta.url).pathname;
const { values: chosen, positionals: targets } = parseArgs({
  allowPositionals: true,
  options: { table: { type: 'string' }, 'in-memory': { type: 'boolean' } },
});
const isLong = process.env.LONG === '1';
const runs = `${root}.nx/cache/run.json`;
const reportOf = ({ projectName, target }) => `${root}node_modules/.cache/test-reports/${projectName}.${target}.json`;
const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

rmSync(`${root}node_modules/.cache/test-reports`, { recursive: true, force: true });
rmSync(runs, { force: true });
// Full measurements need an idle machine, and are not cached.
const options = isLong ? ['--parallel=1', '--skip-nx-cache'] : [];
const memory = chosen['in-memory'] ? makeMemoryFolder() : undefined;
const env = { BENCH_SECONDS: isLong ? '5' : '1', ...process.env, ...(memory && { TMPDIR: memory }) };
const { status } = spawnSync(
  'node_modules/.bin/nx',
  ['run-many', `--targets=${targets}`, '--output-style=static', ...options],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env },
);
if (memory !== undefined) rmSync(memory, { recursive: true, force: true });

// Builds for the tests have a row only if they failed.
const tasks = (readJson(runs)?.tasks ?? []).filter((task) => targets.includes(task.target) || task.status !== 0);
const outputOf = ({ hash }) => {
  const file = `${root}.nx/cache/terminalOutputs/${hash}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const results = tasks.map((task) => ({ task, report: readJson(reportOf(task)), output: outputOf(task) }));
const rows = results.map(({ task, report, output }) => rowOf(task, report, output));
const total = sumOf(rows, status === 0);

console.log(`\n${'task'.padEnd(32)} seconds   passed   failed  skipped`);
for (const { name, seconds, cached, passed, failed, skipped } of rows) {
  const time = cached ? 'cached' : seconds.toFixed(1);
  console.log(
    [name.padEnd(32), time.padStart(7), ...[passed, failed, skipped].map((n) => String(n).padStart(8))].join(' '),
  );
}
const inRepository = (text) => text.replace(root, '');
console.log(`\nseed of the properties: ${process.env.SEED ?? 1} (SEED=N tries others)`);
console.log('\nslowest files, seconds');
for (const { name, seconds } of fileRowsOf(results).slice(0, 30)) {
  console.log(`${seconds.toFixed(1).padStart(8)}  ${inRepository(name)}`);
}
// Last, for a reader who has the end of the output alone.
for (const { task, report, output } of results)
  for (const text of failuresOf(task, report, output)) console.log(`\n${text}`);

/** The run, its commit, file by file: a page of the documentation. */
const writeTable = async (file) => {
  const { format, resolveConfig } = await import('prettier');
  const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const commit = git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
  const lines = [
    '# The latest nightly run',
    '',
    `Written by \`npm run test:nightly\`: commit ${commit}, ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}. ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped. What each size is: [extend.md](extend.md#tests).`,
    '',
    '| file | task | seconds | passed | failed | skipped |',
    '| --- | --- | --: | --: | --: | --: |',
    ...fileRowsOf(results)
      .map(({ name, task, seconds, passed, failed, skipped }) =>
        [`| [${inRepository(name)}](../${inRepository(name)})`, task, seconds.toFixed(1), passed, failed, skipped].join(
          ' | ',
        ),
      )
      .map((row) => `${row} |`),
  ];
  const options = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(`${lines.join('\n')}\n`, options));
};
if (chosen.table !== undefined) await writeTable(`${root}${chosen.table}`);

const failed = results.flatMap(({ task, report, output }) => failedTestsOf(task, report, output));
if (failed.length > 0) console.log(`\nfailed tests\n${failed.map((test) => `  ${inRepository(test)}`).join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
