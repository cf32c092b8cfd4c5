import { blake2bHash } from '@shardnode/protocol/crypto';
import { type FuzzProgram, fuzzPrograms } from './fuzz-programs.js';
import { type FuzzRun, processorClock, runFuzzProgram, wallClock } from './fuzz-runs.js';
import { fuzzWorld } from './fuzz-world.js';

/** Microseconds of processor time that a run should stay below. */
export const cpuBound = 50_000;

/** Measures the memory of runs. */
export interface MemoryWatch {
  /** Runs the program and returns whether it used so much memory that `problems` should examine it. */
  isSuspicious(run: () => void): boolean;
  /** Runs it again and returns the problems of its memory. */
  problems(run: () => FuzzRun): string[];
}

export interface FuzzCampaignOptions {
  readonly seed: number;
  /** Number of the first program. */
  readonly from: number;
  readonly count: number;
  readonly memory?: MemoryWatch;
  readonly onProgram?: (done: number) => void;
}

/** A slow program: the best of some runs in microseconds, of processor time above a few milliseconds. */
interface SlowProgram {
  readonly index: number;
  readonly cpu: number;
  readonly ending: string;
}

/** Results of many programs. */
export interface FuzzTally {
  readonly runs: number;
  /** By origin and kind of the program, then by how the run ended. */
  readonly endings: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly violations: readonly string[];
  /** The slowest, the slowest first. */
  readonly slowest: readonly SlowProgram[];
  /** Number of programs still above the bound when run again. */
  readonly overBound: number;
  /** For each program a digest of eight digits, to compare with other engines. */
  readonly digests: readonly string[];
}

/** Digest of a result. */
const digestOf = (run: FuzzRun): string =>
  blake2bHash(new TextEncoder().encode(`${run.ending} ${run.text}`)).slice(0, 8);

const kept = 5;
/** Microseconds of wall time above which processor time is measured. */
const worthMeasuring = 10_000;
const measuredRounds = 3;

/** Runs programs one at a time, each at least twice, and checks their invariants. */
export const runFuzzCampaign = ({ seed, from, count, memory, onProgram }: FuzzCampaignOptions): FuzzTally => {
  const programOf = fuzzPrograms(seed);
  const world = fuzzWorld();
  const endings = new Map<string, Map<string, number>>();
  const violations: string[] = [];
  const digests: string[] = [];
  let slowest: SlowProgram[] = [];
  let overBound = 0;

  /** Runs again: once, or a few times if it took long, since code is slow before it is compiled. */
  const repeated = (program: FuzzProgram, first: FuzzRun): { cpu: number; isSame: boolean } => {
    const isLong = first.time > worthMeasuring;
    const runs = Array.from({ length: isLong ? measuredRounds : 1 }, () =>
      runFuzzProgram(program, world, isLong ? processorClock : wallClock),
    );
    const isSame = runs.every(({ text, ending }) => text === first.text && ending === first.ending);
    return { cpu: Math.min(first.time, ...runs.map(({ time }) => time)), isSame };
  };

  for (let index = from; index < from + count; index++) {
    const program = programOf(index);
    let run!: FuzzRun;
    const first = (): void => void (run = runFuzzProgram(program, world));
    const isLarge = memory ? memory.isSuspicious(first) : (first(), false);
    const { cpu, isSame } = repeated(program, run);
    const problems = [
      ...run.violations,
      ...(isSame ? [] : ['another result the second time']),
      ...(isLarge ? memory!.problems(() => runFuzzProgram(program, world)) : []),
    ];
    for (const problem of problems) violations.push(`program ${index} of seed ${seed}: ${problem}`);
    const row = `${program.origin}: ${program.kind}`;
    const counts = endings.get(row) ?? new Map<string, number>();
    endings.set(row, counts.set(run.ending, (counts.get(run.ending) ?? 0) + 1));
    if (cpu > cpuBound) overBound += 1;
    if (slowest.length < kept || cpu > slowest.at(-1)!.cpu) {
      slowest = [...slowest, { index, cpu, ending: run.ending }].sort((a, b) => b.cpu - a.cpu).slice(0, kept);
    }
    digests.push(digestOf(run));
    onProgram?.(index - from + 1);
  }
  return { runs: count, endings, violations, slowest, overBound, digests };
};

/** Only the digests, each program run once, for other engines. */
export const fuzzDigests = function* (seed: number, from: number, count: number): Generator<string> {
  const programOf = fuzzPrograms(seed);
  const world = fuzzWorld();
  for (let index = from; index < from + count; index++) yield digestOf(runFuzzProgram(programOf(index), world));
};
