/**
 * npm test: lint, type check, unit, integration and end-to-end tests (over the embedded network, then over processes with
 * PostgreSQL, NATS and Redis, then with faults), each benchmark for a second; a table of the steps and, last, the line
 * `N passed, N failed`. `npm run test:long` (LONG=1) runs the same with the full figures. What needs servers that are not
 * installed is skipped and said so; where CI is set it fails.
 *
 * Steps run beside each other, as many as there are cores, and those that have time on what these leave of the machine (with
 * LONG=1 one after the other). A file that failed beside another step runs once more alone, and the table says so: on a busy
 * machine a clock may be at fault, and a fault of ours fails again.
 *
 *   node tools/test.mjs [step ...]     only these steps: lint, types, unit, integration, histories, simulator, e2e, cluster, containers (LONG=1 only), faults, bench
 */
import { mkdirSync, rmSync } from 'node:fs';
import { bundlePrograms } from './bundle.mjs';
import { countsByFile, failedFiles, sumOf } from './run-tests/count.mjs';
import { runAgain, runPhase } from './run-tests/run-steps.mjs';
import { phasesOf, reports } from './run-tests/steps.mjs';

/** The row of a step; files that failed beside others have a second try. */
const judge = async ({ step, succeeded, seconds }, wasAlone) => {
  const files = countsByFile(step.report);
  const failed = failedFiles(files);
  if (wasAlone || failed.length === 0) return { name: step.name, seconds, again: 0, ...sumOf(files, succeeded) };
  const second = countsByFile(await runAgain(step, failed)) ?? new Map();
  for (const name of failed) files.set(name, second.get(name) ?? { passed: 0, failed: 1, skipped: 0 });
  return { name: step.name, seconds, again: failed.length, ...sumOf(files, true) };
};

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// As `npm ci` leaves it, whatever was built since.
await bundlePrograms();
const rows = [];
for (const phase of phasesOf(process.argv.slice(2))) {
  for (const outcome of await runPhase(phase)) rows.push(await judge(outcome, phase.length === 1));
}

const total = { passed: 0, failed: 0, skipped: 0, again: 0 };
const columns = Object.keys(total);
const printed = (name, seconds, cells) =>
  console.log([name.padEnd(12), seconds.padStart(7), ...cells.map((cell) => cell.padStart(8))].join(' '));
console.log();
printed('step', 'seconds', columns);
for (const row of rows) {
  for (const key of columns) total[key] += row[key];
  printed(
    row.name,
    row.seconds.toFixed(1),
    columns.map((key) => String(row[key])),
  );
}
if (total.again > 0) console.log(`\n"again": files that failed beside another step, and were judged by a run alone`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
