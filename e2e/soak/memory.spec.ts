import { describe, expect, it } from '@jest/globals';
import { judgeMemory, type MemorySample } from './memory.js';
import { memoryCheck } from './report.js';

const hour = 3_600_000;
const every = 30_000;

/** Of a process that was started when the run began, unless at `starts`. */
const samplesOf = (
  process: string,
  megabytes: (at: number) => number,
  starts: readonly number[] = [0],
): MemorySample[] =>
  Array.from({ length: hour / every }, (_, index) => {
    const at = index * every;
    return { process, at, age: at - starts.findLast((start) => start <= at)!, megabytes: megabytes(at) };
  });
const verdictOf = (samples: readonly MemorySample[]) => judgeMemory(samples, hour)[0]!;
/** Up and down with what is under way. */
const noise = (at: number): number => 30 * Math.sin(at / 17_000);

describe('the memory of a run', () => {
  it('is flat when only what is under way moves it', () => {
    expect(verdictOf(samplesOf('gateway', (at) => 200 + noise(at)))).toMatchObject({ verdict: 'flat' });
  });

  it('has grown when the last quarter is more than 5 % above the second', () => {
    const leak = (share: number) => samplesOf('gateway', (at) => 200 + noise(at) + (share * 200 * at) / hour);
    expect(verdictOf(leak(0.06)).verdict).toBe('flat');
    const grown = verdictOf(leak(0.2));
    expect(grown.verdict).toBe('grown');
    expect(grown.change).toBeGreaterThan(0.05);
  });

  it('is flat when a cache fills and drops half, whichever moment of that a quarter has', () => {
    const cache = (at: number): number => 60 + (10 * (at % 600_000)) / 600_000;
    const starts = [0, hour * 0.4, hour * 0.8];
    const ofAge = (at: number): number => cache(at - starts.findLast((start) => start <= at)!);
    expect(verdictOf(samplesOf('group-node-2', ofAge, starts)).verdict).toBe('flat');
  });

  it('may grow in the first quarter, while caches fill', () => {
    expect(verdictOf(samplesOf('gateway', (at) => Math.min(300, 100 + at / 4_500))).verdict).toBe('flat');
  });

  it('does not count the first minutes after a start', () => {
    const starts = [0, hour * 0.3, hour * 0.8];
    const young = (at: number): number => {
      const age = at - starts.findLast((start) => start <= at)!;
      return age < 170_000 ? 1_000 : 200;
    };
    const { second, last, verdict } = verdictOf(samplesOf('group-node-0', young, starts));
    expect({ second, last, verdict }).toEqual({ second: 200, last: 200, verdict: 'flat' });
  });

  it('is not judged when a process never lived long enough', () => {
    const starts = Array.from({ length: hour / 120_000 }, (_, index) => index * 120_000);
    expect(verdictOf(samplesOf('explorer', () => 200, starts))).toMatchObject({
      verdict: 'not judged',
      change: undefined,
    });
    expect(
      judgeMemory(
        samplesOf('explorer', () => 200),
        10 * hour,
      )[0]!.verdict,
    ).toBe('not judged');
  });

  it('is not judged in a run of less than an hour, whose caches fill in its second quarter', () => {
    const samples = samplesOf('group-node-2', (at) => 50 + at / 100_000).filter(({ at }) => at < hour / 3);
    expect(judgeMemory(samples, hour / 3)[0]!.verdict).toBe('not judged');
  });

  it('fails the run when one process has grown, and names those that are not judged', () => {
    const grown = samplesOf('gateway', (at) => 200 + at / 10_000);
    const flat = samplesOf('explorer', () => 200);
    const few = flat.slice(0, 5).map((sample) => ({ ...sample, process: 'wallet-service' }));
    expect(() => memoryCheck(judgeMemory([...flat, ...grown], hour))).toThrow('grown by more than 5 %: gateway');
    expect(memoryCheck(judgeMemory([...flat, ...few], hour))).toMatch(
      /^1 processes flat; not judged .*: wallet-service$/,
    );
  });
});
