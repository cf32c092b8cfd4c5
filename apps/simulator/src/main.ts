import {
  defaultRounds,
  recordedSeeds,
  readArguments,
  type SimulatorArguments,
  usage,
  UsageError,
} from './arguments.js';
import { simulateLatency } from './latency.js';
import { describeLatency, describeMany, describeSimulation, lineOfSimulation } from './report.js';
import { runSeeds, type SeedRun } from './run-seeds.js';
import { type SimulationReport } from './simulate.js';

const say = (text: string): void => void process.stdout.write(text);

const runsOf = ({ seeds, rounds, trace }: SimulatorArguments): readonly SeedRun[] => {
  const kept = new Map(recordedSeeds().map((entry) => [entry.seed, entry.rounds]));
  return seeds.map((seed) => ({ seed, rounds: rounds ?? kept.get(seed) ?? defaultRounds, ...(trace && { trace }) }));
};

/** Returns the exit code. */
const runUnderFaults = async (given: SimulatorArguments): Promise<number> => {
  const runs = runsOf(given);
  const reports: SimulationReport[] = [];
  const began = performance.now();
  const isOne = runs.length === 1;
  await runSeeds(runs, given.jobs, (report) => {
    reports.push(report);
    if (given.json) say(`${JSON.stringify(report)}\n`);
    else say(isOne ? describeSimulation(report) : lineOfSimulation(report));
  });
  if (!given.json && !isOne) say(describeMany(reports, (performance.now() - began) / 1000));
  return reports.some(({ problems }) => problems.length > 0) ? 1 : 0;
};

const runWithLatency = async (given: SimulatorArguments, latency: number): Promise<number> => {
  const { seeds, seconds, senders, json } = given;
  const report = await simulateLatency({
    seed: seeds[0]!,
    latency,
    seconds,
    sendersPerGroup: senders,
    trace: given.trace,
  });
  say(json ? `${JSON.stringify(report)}\n` : describeLatency(report));
  return report.problems.length > 0 ? 1 : 0;
};

const run = async (): Promise<number> => {
  try {
    const given = readArguments(process.argv.slice(2));
    return await (given.latency === undefined ? runUnderFaults(given) : runWithLatency(given, given.latency));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
};

process.exitCode = await run();
