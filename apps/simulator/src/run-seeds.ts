import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type SimulationReport, simulate } from './simulate.js';

export interface SeedRun {
  readonly seed: number;
  readonly rounds: number;
  readonly trace?: string;
}

/** Every `jobs`-th run. */
const share = (runs: readonly SeedRun[], jobs: number, job: number): readonly SeedRun[] =>
  runs.filter((_, i) => i % jobs === job);

/** Runs of the same number of rounds share a process. */
const runInChild = async (runs: readonly SeedRun[], report: (one: SimulationReport) => void): Promise<void> => {
  for (const rounds of new Set(runs.map((run) => run.rounds))) {
    const seeds = runs.filter((run) => run.rounds === rounds).map(({ seed }) => seed);
    const values = ['--seeds', seeds.join(','), '--rounds', String(rounds), '--json'];
    const child = fork(new URL('./main.js', import.meta.url), values, {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let count = 0;
    for await (const line of createInterface({ input: child.stdout! })) {
      count += 1;
      report(JSON.parse(line) as SimulationReport);
    }
    const code = await ended;
    if (count < seeds.length) throw new Error(`a process ended with ${code} after ${count} of ${seeds.length} seeds`);
  }
};

/** Runs all seeds in this number of processes; reports each at its end. */
export const runSeeds = async (
  runs: readonly SeedRun[],
  jobs: number,
  report: (one: SimulationReport) => void,
): Promise<void> => {
  if (jobs < 2) {
    for (const run of runs) report(await simulate(run));
    return;
  }
  await Promise.all(Array.from({ length: jobs }, (_, job) => runInChild(share(runs, jobs, job), report)));
};
