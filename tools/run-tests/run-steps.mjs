import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { reports } from './steps.mjs';

/**
 * Runs a command; resolves with whether it succeeded. What it prints goes to the terminal, or to a file. A patient one, with all
 * that it starts, has a tenth of a processor that others want too.
 */
const run = ([program, ...args], environment, { file, isPatient = false } = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', ...(file === undefined ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
      env: { ...process.env, ...environment },
    });
    if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (file !== undefined) {
      const log = createWriteStream(file);
      for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    }
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });

const withReport = ({ command, report }, file, more = []) =>
  report === undefined ? command : [...command, `--outputFile=${file}`, ...more];

/** Runs a step with the machine for itself. */
const runAlone = async (step) => {
  console.log(`\n=== ${step.name}`);
  const began = Date.now();
  const succeeded = await run(withReport(step, step.report), step.environment);
  return { step, succeeded, seconds: (Date.now() - began) / 1000 };
};

/** Its output comes as a whole when it has ended. */
const runBeside = async (step) => {
  console.log(`\n=== ${step.name} begins`);
  const began = Date.now();
  const file = `${reports}/${step.name}.log`;
  const { isPatient } = step;
  const succeeded = await run(withReport(step, step.report), step.environment, { file, isPatient });
  console.log(`\n=== ${step.name}\n${readFileSync(file, 'utf8')}`);
  return { step, succeeded, seconds: (Date.now() - began) / 1000 };
};

/**
 * How many run beside each other: with one more than there are cores, limits of time are met by waiting alone. And as many patient
 * ones, which take nothing from those.
 */
const width = Math.min(availableParallelism(), 4);

const besideEachOther = async (steps) => {
  const outcomes = [];
  const workThrough = async (waiting) => {
    for (let step = waiting.shift(); step; step = waiting.shift()) outcomes.push(await runBeside(step));
  };
  const impatient = steps.filter(({ isPatient }) => !isPatient);
  const patient = steps.filter(({ isPatient }) => isPatient);
  await Promise.all(Array.from({ length: width }, () => [workThrough(impatient), workThrough(patient)]).flat());
  return outcomes;
};

/** The outcomes of the steps of a phase: `{ step, succeeded, seconds }`. */
export const runPhase = async (steps) => {
  if (steps.length > 1 && availableParallelism() > 1) return besideEachOther(steps);
  const outcomes = [];
  for (const step of steps) outcomes.push(await runAlone(step));
  return outcomes;
};

/** Runs some files of a step again, with the machine for themselves; resolves with the path of the new report. */
export const runAgain = async (step, files) => {
  console.log(`\n=== ${step.name}, again and alone: ${files.length} of its files`);
  const report = `${reports}/${step.name}-again.json`;
  await run(withReport(step, report, ['--runTestsByPath', ...files]), step.environment);
  return report;
};
