import { execFile } from 'node:child_process';
import { builtProgram } from '@shardnode/testing/built-program';
import { type SimulationReport } from '../../src/simulate.js';

const program = builtProgram('simulator');
export const isLong = process.env['LONG'] === '1';
/** Milliseconds that a simulation may take. */
export const patience = isLong ? 4 * 3_600_000 : 600_000;

/** What the simulator says of each seed, in the order in which they end. */
export const simulated = (...values: readonly string[]): Promise<readonly SimulationReport[]> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--json', ...values],
      { maxBuffer: 2 ** 28, timeout: patience },
      (error, stdout, stderr) => {
        // Exit code 1: a simulation found something, which its report tells.
        if (error && error.code !== 1) reject(new Error(`${error.message}\n${stderr}`));
        else if (stdout === '') reject(new Error(`nothing was said\n${stderr}`));
        else
          resolve(
            stdout
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as SimulationReport),
          );
      },
    );
  });

/** What simulations found, one line for each that found something. */
export const failuresOf = (reports: readonly SimulationReport[]): readonly string[] =>
  reports.flatMap(({ seed, problems }) => (problems.length > 0 ? [`seed ${seed}: ${problems[0]}`] : []));
