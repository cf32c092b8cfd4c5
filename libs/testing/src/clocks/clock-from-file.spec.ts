import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clockFromFile, createStoppedClock } from './index.js';

describe('clock with an offset from a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-clock-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shifts the wall clock alone, and follows the file within 100 ms', () => {
    const base = createStoppedClock(1_000_000);
    const path = join(folder, 'offset');
    const clock = clockFromFile(path, base);
    expect(clock.now()).toBe(1_000_000);
    writeFileSync(path, ' 600000\n');
    base.advance(99);
    expect(clock.now()).toBe(1_000_099);
    base.advance(1);
    expect([clock.now(), clock.monotonic()]).toEqual([1_600_100, 100]);
    writeFileSync(path, '-2500');
    base.advance(100);
    expect(clock.now()).toBe(997_700);
    let fired = false;
    clock.after(50, () => (fired = true));
    base.advance(49);
    expect(fired).toBe(false);
    base.advance(1);
    expect(fired).toBe(true);
  });

  it('is the wall clock while the file is missing, empty or half-written', () => {
    const base = createStoppedClock(5_000);
    const path = join(folder, 'other');
    const clock = clockFromFile(path, base);
    for (const text of ['', 'soon', '-', 'NaN', 'Infinity']) {
      writeFileSync(path, text);
      base.advance(100);
      expect(clock.now()).toBe(base.now());
    }
    rmSync(path);
    base.advance(100);
    expect(clock.now()).toBe(base.now());
  });
});
