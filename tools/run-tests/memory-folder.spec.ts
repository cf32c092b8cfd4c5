import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeMemoryFolder } from './memory-folder.mjs';

const nameOf = (pid: number): string => `shardnode-tests-${userInfo().uid}-${pid}`;

describe('the folder in memory of a run of tests', () => {
  let memory: string;
  beforeEach(() => void (memory = mkdtempSync(join(tmpdir(), 'shardnode-memory-'))));
  afterEach(() => rmSync(memory, { recursive: true }));

  it('is empty, and named after user and process', () => {
    const folder = makeMemoryFolder(memory)!;
    expect(folder).toBe(join(memory, nameOf(process.pid)));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes the place of those whose process is gone, and of nothing else', () => {
    const { pid } = spawnSync('true');
    const [left, running] = [nameOf(pid), nameOf(process.ppid)];
    for (const name of [left, running, 'of-others']) {
      mkdirSync(join(memory, name));
      writeFileSync(join(memory, name, 'file'), '');
    }
    makeMemoryFolder(memory);
    expect(readdirSync(memory).sort()).toEqual(['of-others', running, nameOf(process.pid)].sort());
    expect(existsSync(join(memory, running, 'file'))).toBe(true);
  });

  it.each(['missing', 'without room'])('is not made where the file system is %s', (what) => {
    expect(makeMemoryFolder(what === 'missing' ? join(memory, what) : '/proc')).toBeUndefined();
  });
});
