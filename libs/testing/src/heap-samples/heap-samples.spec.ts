import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repository, sourceFlags } from '../source-process/index.js';
import { readHeapSamples } from './index.js';

const megabyte = 1_000_000;
/** Makes garbage during three samples, and then keeps 40 MB in buffers and 40 MB in objects during two. */
const program = `
  import { readHeapSamples, sampleHeap } from '@shardnode/testing/heap-samples';
  const file = process.env.HEAP_FILE;
  sampleHeap(file, 100);
  const samples = async (number) => {
    const enough = readHeapSamples(file).length + number;
    while (readHeapSamples(file).length < enough) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const garbage = setInterval(() => { Buffer.alloc(4_000_000); Array.from({ length: 100_000 }, (_, i) => ({ i })); }, 5);
  await samples(3);
  clearInterval(garbage);
  const kept = [Buffer.alloc(40_000_000), Array.from({ length: 5_000_000 }, (_, index) => index + 0.5)];
  await samples(2);
  process.exit(kept.length === 2 ? 0 : 1);
`;

describe('samples of the heap', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-heap-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('show what a process keeps, not what it makes and drops', async () => {
    const file = join(folder, 'heap');
    expect(readHeapSamples(file)).toEqual([]);
    const child = spawn(process.execPath, [...sourceFlags, '--input-type=module', '-e', program], {
      cwd: repository,
      env: { ...process.env, HEAP_FILE: file },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    const samples = readHeapSamples(file);
    expect(samples.length).toBeGreaterThanOrEqual(5);
    for (const { time, age, resident, kept } of samples) {
      expect(time - age).toBeCloseTo(samples[0]!.time - samples[0]!.age, 0);
      expect(resident).toBeGreaterThan(kept);
    }
    expect(samples.map(({ age }) => age)).toEqual(samples.map(({ age }) => age).sort((a, b) => a - b));
    const before = samples.slice(0, 3).map(({ kept }) => kept);
    // The garbage of that time would be many times more.
    expect(Math.max(...before)).toBeLessThan(40 * megabyte);
    expect(samples.at(-1)!.kept - Math.max(...before)).toBeGreaterThan(75 * megabyte);
  });
});
