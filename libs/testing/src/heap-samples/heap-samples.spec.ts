import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repository, sourceFlags } from '../source-process/index.js';
import { readHeapSamples } from './index.js';

const megabyte = 1_000_000;
/** Makes garbage for a second, and then keeps 40 MB in buffers and 40 MB in objects. */
const program = `
  import { sampleHeap } from '@shardnode/testing/heap-samples';
  sampleHeap(process.env.HEAP_FILE, 200);
  const kept = [];
  const garbage = setInterval(() => { Buffer.alloc(4_000_000); Array.from({ length: 100_000 }, (_, i) => ({ i })); }, 5);
  setTimeout(() => {
    clearInterval(garbage);
    kept.push(Buffer.alloc(40_000_000), Array.from({ length: 5_000_000 }, (_, index) => index + 0.5));
  }, 1_000);
  setTimeout(() => process.exit(kept.length === 2 ? 0 : 1), 3_000);
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
    const began = Date.now();
    const child = spawn(process.execPath, [...sourceFlags, '--input-type=module', '-e', program], {
      cwd: repository,
      env: { ...process.env, HEAP_FILE: file },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    const samples = readHeapSamples(file);
    expect(samples.length).toBeGreaterThan(2);
    for (const { time, age, resident, kept } of samples) {
      expect(time).toBeGreaterThanOrEqual(began + 200);
      expect(time).toBeLessThanOrEqual(Date.now());
      expect(age).toBeGreaterThan(200);
      expect(resident).toBeGreaterThan(kept);
    }
    const before = samples.filter(({ age }) => age < 1_000).map(({ kept }) => kept);
    // The garbage of that time would be many times more.
    expect(Math.max(...before)).toBeLessThan(40 * megabyte);
    expect(samples.at(-1)!.kept - Math.max(...before)).toBeGreaterThan(75 * megabyte);
  });
});
