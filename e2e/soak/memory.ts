import { percentile } from '@shardnode/testing/statistics';

/** What a process kept in memory at a moment of a run, after a collection of garbage. */
export interface MemorySample {
  readonly process: string;
  /** Milliseconds since the run began. */
  readonly at: number;
  /** Milliseconds since this process was started. */
  readonly age: number;
  /** Of objects and buffers. */
  readonly megabytes: number;
  /** For people: resident memory of all threads, megabytes, which goes up and down with the collector. */
  readonly resident?: number;
}

export interface MemoryVerdict {
  readonly process: string;
  /** What nine of ten samples do not exceed, megabytes; undefined: too few samples. */
  readonly second: number | undefined;
  readonly last: number | undefined;
  /** By how much of the second quarter the last one is more: 0.05 is 5 %. */
  readonly change: number | undefined;
  readonly verdict: 'flat' | 'grown' | 'not judged';
}

/** Milliseconds: a process that was started fills its caches, and a killed one comes back again and again. */
export const settlesAfterMs = 180_000;
/** Milliseconds of a run that can be judged: caches fill for some ten minutes, and must be full before the second quarter. */
export const leastLengthMs = 3_600_000;
/** Samples that each quarter needs. */
export const leastSamples = 6;
/** Of the second quarter. */
export const mostGrowth = 0.05;

/**
 * Percent of the samples. A cache of two generations fills for some ten minutes, and then drops half: a process is as large as
 * when its caches are full. A median would tell at which moment of that a quarter was.
 */
const most = 90;

/**
 * Whether the memory of each process is flat: how large it gets in the last quarter of a run, against the second one. Samples
 * soon after a start do not count. @param lengthMs milliseconds of the run
 */
export const judgeMemory = (samples: readonly MemorySample[], lengthMs: number): readonly MemoryVerdict[] => {
  const names = [...new Set(samples.map(({ process }) => process))].sort();
  return names.map((process): MemoryVerdict => {
    const settled = samples.filter((sample) => sample.process === process && sample.age >= settlesAfterMs);
    const quarter = (number: number): number[] =>
      settled.filter(({ at }) => Math.floor((4 * at) / lengthMs) === number - 1).map(({ megabytes }) => megabytes);
    const [early, late] = [quarter(2), quarter(4)];
    if (lengthMs < leastLengthMs || early.length < leastSamples || late.length < leastSamples) {
      return { process, second: undefined, last: undefined, change: undefined, verdict: 'not judged' };
    }
    const [second, last] = [percentile(early, most), percentile(late, most)];
    const change = last / second - 1;
    return { process, second, last, change, verdict: change > mostGrowth ? 'grown' : 'flat' };
  });
};
