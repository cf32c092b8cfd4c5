import { readFileSync } from 'node:fs';
import { processStat } from '@shardnode/core/system-processes';
import { numberColumns, tableLines } from '@shardnode/core/terminal';
import { type ClusterProcess, type ProcessName } from './cluster-process.js';

export interface MemorySample {
  /** Milliseconds since the first sample. */
  readonly at: number;
  readonly megabytes: number;
  /** Milliseconds of processor time since the process began. */
  readonly worked: number;
}

/** Resident memory of a process in megabytes; undefined when it does not run, or where there is no /proc. */
const residentMegabytes = (pid: number | undefined): number | undefined => {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
};

/** Milliseconds of processor time that a process has taken since it began; undefined as above. */
export const processorMilliseconds = (pid: number | undefined): number | undefined =>
  pid === undefined ? undefined : processStat(pid)?.processorMs;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of a straight line through the samples (least squares), megabytes a minute. */
const slopeOf = (samples: readonly MemorySample[]): number => {
  const [middle, level] = [mean(samples.map(({ at }) => at)), mean(samples.map(({ megabytes }) => megabytes))];
  const across = samples.reduce((sum, { at, megabytes }) => sum + (at - middle) * (megabytes - level), 0);
  const along = samples.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
  return along === 0 ? 0 : (across / along) * 60_000;
};

/** Resident memory of several processes over a time. */
export class MemoryWatch {
  private readonly samples = new Map<ProcessName, MemorySample[]>();
  private readonly began = performance.now();

  constructor(private readonly processes: readonly ClusterProcess[]) {}

  sample(): void {
    for (const { name, pid } of this.processes) {
      const megabytes = residentMegabytes(pid);
      if (megabytes === undefined) continue;
      const of = this.samples.get(name) ?? [];
      of.push({ at: performance.now() - this.began, megabytes, worked: processorMilliseconds(pid) ?? 0 });
      this.samples.set(name, of);
    }
  }

  /**
   * Megabytes by which the process that grew most has grown in the second half: a mean of the last quarter less one of
   * the quarter before the middle. The first half fills caches.
   */
  growth(): number {
    const grown = [...this.samples.values()].map((samples) => {
      const part = (from: number, to: number): number =>
        mean(samples.slice(from * samples.length, Math.ceil(to * samples.length)).map(({ megabytes }) => megabytes));
      return part(0.75, 1) - part(0.25, 0.5);
    });
    return Math.max(0, ...grown);
  }

  /** A line for each process: first, largest and last value, the slope of the second half, and what share of a core it took. */
  describe(): string {
    const rows = [...this.samples].map(([name, samples]) => {
      const values = samples.map(({ megabytes }) => megabytes);
      const slope = slopeOf(samples.slice(samples.length >> 1));
      const numbers = [values[0]!, Math.max(...values), values.at(-1)!].map((value) => value.toFixed(0));
      const [first, last] = [samples[0]!, samples.at(-1)!];
      const core = (100 * (last.worked - first.worked)) / Math.max(1, last.at - first.at);
      return [name, ...numbers, slope.toFixed(2), core.toFixed(0)];
    });
    const figures = numberColumns('first', 'largest', 'last', 'MB a minute', '% of a core');
    return `${tableLines([{ title: 'memory, MB' }, ...figures], rows).join('\n')}\n`;
  }
}
