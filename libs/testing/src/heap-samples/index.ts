import { appendFileSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Memory of a process right after a collection of garbage. */
export interface HeapSample {
  /** Milliseconds of the machine's wall clock. */
  readonly time: number;
  /** Milliseconds since the process was started. */
  readonly age: number;
  /** Bytes of objects and buffers of the main thread. */
  readonly kept: number;
  /** Bytes of resident memory, of all threads. */
  readonly resident: number;
}

/**
 * Collects all garbage every so many milliseconds, and adds what is left as a line to a file. That stops the main thread for
 * some 300 ms. It does not keep the process alive.
 */
export const sampleHeap = (file: string, everyMs: number): void => {
  // The heap after `gc()` of `--expose-gc` goes up and down by a fifth.
  const session = new Session();
  session.connect();
  const sample = async (): Promise<void> => {
    await session.post('HeapProfiler.collectGarbage');
    const { heapUsed, external, rss } = process.memoryUsage();
    const age = performance.now();
    const line: HeapSample = { time: performance.timeOrigin + age, age, kept: heapUsed + external, resident: rss };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  setInterval(() => void sample(), everyMs).unref();
};

/** Samples of all processes that have written to the file, in order; none when there is no file yet. */
export const readHeapSamples = (file: string): readonly HeapSample[] => {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as HeapSample);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};
