import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const prefix = `shardnode-tests-${userInfo().uid}-`;
/** Bytes; the tests of `npm test` have at most 0.4 GB of files at once. */
const needed = 2 * 1024 ** 3;

/** Whether programs may be run from a folder: containers often mount theirs without that. */
const runsPrograms = (folder) => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
};

const isGone = (pid) => !existsSync(`/proc/${pid}`);

/**
 * A folder in memory for temporary files of tests, named after user and process: the database of a test is 1,400 files, and some
 * disks take a second to make them. Removes those of runs that were killed. Undefined where memory has no folder that is
 * large enough and runs programs; then tests use the disk.
 *
 * @param memory a file system in memory
 */
export const makeMemoryFolder = (memory = '/dev/shm') => {
  if (!existsSync(memory)) return undefined;
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && isGone(name.slice(prefix.length))) rmSync(join(memory, name), { recursive: true });
  }
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < needed) return undefined;
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder);
  if (runsPrograms(folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
};
