import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { builtProgram } from '@shardnode/testing/built-program';
import { recordedSeeds } from '../src/arguments.js';
import { type SimulationReport } from '../src/simulate.js';

const program = builtProgram('simulator');
const isLong = process.env['LONG'] === '1';
const seeds = isLong ? 2_000 : 4;
const patience = isLong ? 4 * 3_600_000 : 600_000;

/** What the simulator says of each seed, in the order in which they end. */
const simulated = (...values: readonly string[]): Promise<readonly SimulationReport[]> =>
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

const jobs = String(availableParallelism());
const failuresOf = (reports: readonly SimulationReport[]): readonly string[] =>
  reports.flatMap(({ seed, problems }) => (problems.length > 0 ? [`seed ${seed}: ${problems[0]}`] : []));

it(
  'is the same run twice in one process, and again in another; another seed is another run',
  async () => {
    const [[first, second, other], [again]] = await Promise.all([
      simulated('--seeds', '7,7,8', '--rounds', '2'),
      simulated('--seeds', '7', '--rounds', '2'),
    ]);
    expect(failuresOf([first!, second!, other!, again!])).toEqual([]);
    expect(first!.events).toBeGreaterThan(1_000);
    expect(second!.hash).toBe(first!.hash);
    expect(again!.hash).toBe(first!.hash);
    expect(other!.hash).not.toBe(first!.hash);
  },
  patience,
);

it(
  `is sound with ${seeds} seeds`,
  async () => {
    const reports = await simulated('--seeds', `1..${seeds}`, '--jobs', jobs);
    expect(failuresOf(reports)).toEqual([]);
    expect(reports).toHaveLength(seeds);
    // Faults did happen, and something was sent all the while.
    for (const { acknowledged, messages } of reports) {
      expect(acknowledged).toBeGreaterThan(50);
      expect(messages.lost).toBeGreaterThan(50);
    }
    const sum = (value: (report: SimulationReport) => number) => reports.reduce((all, one) => all + value(one), 0);
    expect(sum(({ faults }) => faults.kills)).toBeGreaterThan(seeds);
    expect(sum(({ answers }) => answers)).toBeGreaterThan(50 * seeds);
    expect(sum(({ walletTransfers }) => walletTransfers)).toBeGreaterThan(seeds);
    expect(sum(({ faults }) => faults.partitions)).toBeGreaterThan(seeds / 2);
    const virtual = sum(({ virtualSeconds }) => virtualSeconds);
    const processor = sum(({ processorSeconds }) => processorSeconds);
    process.stderr.write(`${seeds} seeds: ${virtual.toFixed(0)} virtual s, ${processor.toFixed(0)} s of processors\n`);
  },
  patience,
);

it(
  'is sound with every seed that ever failed',
  async () => {
    const kept = recordedSeeds();
    if (kept.length === 0) return;
    const reports = await simulated('--seeds', 'kept', '--jobs', jobs);
    expect(failuresOf(reports)).toEqual([]);
    expect(reports).toHaveLength(kept.length);
  },
  patience,
);

it('says how it is used when it is told nonsense', async () => {
  await expect(simulated('--seed', 'x')).rejects.toThrow('--seed must be a whole number from 0 on, not x.');
  await expect(simulated('--sed', '1')).rejects.toThrow('npm run simulate');
});
