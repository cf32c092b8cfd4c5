import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** A seed that failed once: it runs with every check since then. */
export interface RecordedSeed {
  readonly seed: number;
  readonly rounds: number;
  readonly why: string;
}

export interface SimulatorArguments {
  readonly seeds: readonly number[];
  /** Undefined: the recorded number of each seed, or `defaultRounds`. */
  readonly rounds: number | undefined;
  /** Milliseconds between groups; absent: a run under faults. */
  readonly latency?: number;
  /** Virtual seconds of load of a run with latency. */
  readonly seconds: number;
  readonly senders: number;
  readonly jobs: number;
  readonly trace?: string;
  /** A line of JSON for each seed instead of a table. */
  readonly json: boolean;
}

export const defaultRounds = 8;

export const usage = `Runs the whole network in this process, in virtual time, under faults that all follow from a seed.

  npm run simulate -- --seed 7                 one simulation
  npm run simulate -- --seeds 1..30            many; also 3,5,9 and "kept": those that failed once
  npm run simulate -- --seed 7 --trace FILE    with every event as a line
  npm run simulate -- --latency 50             no faults: groups so many milliseconds apart

  --seed N      default 1             --rounds M    of 10 virtual seconds each, default ${defaultRounds}
  --jobs N      processes, default 1  --json        a line of JSON for each seed
  --senders N   of each group, with --latency; default 4
  --seconds N   of load, with --latency; default 10
`;

/** Seeds that failed once, in the order of their discovery. */
export const recordedSeeds = (): readonly RecordedSeed[] =>
  JSON.parse(readFileSync(new URL('../seeds.json', import.meta.url), 'utf8')) as RecordedSeed[];

/** A wrong argument; the message is for people. */
export class UsageError extends Error {}

const number = (name: string, text: string | undefined, fallback: number, least = 0): number => {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new UsageError(`--${name} must be a whole number from ${least} on, not ${text}.`);
  }
  return value;
};

const seedsOf = (text: string): readonly number[] => {
  if (text === 'kept') return recordedSeeds().map(({ seed }) => seed);
  const range = /^(\d+)\.\.(\d+)$/.exec(text);
  if (!range) return text.split(',').map((part) => number('seeds', part, 1));
  const [first, last] = [Number(range[1]), Number(range[2])];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
};

const options = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  rounds: { type: 'string' },
  latency: { type: 'string' },
  seconds: { type: 'string' },
  senders: { type: 'string' },
  jobs: { type: 'string' },
  trace: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Throws UsageError. */
export const readArguments = (given: readonly string[]): SimulatorArguments => {
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    values = parseArgs({ args: [...given], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { seed, seeds, rounds, latency, seconds, senders, jobs, trace, json } = values;
  return {
    seeds: seeds === undefined ? [number('seed', seed, 1)] : seedsOf(seeds),
    rounds: rounds === undefined ? undefined : number('rounds', rounds, defaultRounds, 1),
    ...(latency === undefined ? {} : { latency: number('latency', latency, 0) }),
    seconds: number('seconds', seconds, 10, 1),
    senders: number('senders', senders, 4, 1),
    jobs: number('jobs', jobs, 1, 1),
    ...(trace === undefined ? {} : { trace }),
    json,
  };
};
