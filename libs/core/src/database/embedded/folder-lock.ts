import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { sleep, systemClock } from '../../lifecycle/index.js';
import { isRunning, processStat } from '../../system-processes/index.js';
import { DatabaseError } from '../database-error.js';
import { folderNotWritable, makeDataFolder } from './data-folder.js';

/** Holder of a folder lock. */
interface Holder {
  readonly pid: number;
  /** Start time of the process as the system reports it, because process ids are reused. Empty where unknown. */
  readonly started: string;
  readonly host: string;
}

export interface FolderLock {
  release(): void;
}

const prefix = 'lock-';
const heldHere = new Set<string>();

/** Start time of a process, which distinguishes processes with the same id. Empty where the system has none. */
const startOf = (pid: number): string => {
  const stat = processStat(pid);
  if (!stat) return '';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}/${stat.startedAt}`;
};

const parseHolder = (text: string): Holder | undefined => {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    if (typeof holder.pid !== 'number' || typeof holder.started !== 'string') return undefined;
    return { pid: holder.pid, started: holder.started, host: holder.host ?? '' };
  } catch {
    return undefined; // killed while it was writing: it holds nothing
  }
};

const holds = (holder: Holder): boolean =>
  isRunning(holder.pid) && (holder.started === '' || holder.started === startOf(holder.pid));

/** Empty where the file was removed just now. */
const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Holders other than this process. Removes the files of dead processes. */
const otherHolders = (folder: string, ownName: string): readonly Holder[] => {
  const others: Holder[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || name === ownName) continue;
    const path = join(folder, name);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      continue; // released just now
    }
    const holder = parseHolder(text);
    if (holder && holds(holder)) others.push(holder);
    else if (holder || text.length === 0) removeQuietly(path);
  }
  return others;
};

const removeQuietly = (path: string): void => {
  try {
    unlinkSync(path);
  } catch {
    // another process removed it
  }
};

/** Id of the process that has locked a folder; undefined: none. Changes nothing. */
export const folderHolder = (folder: string): number | undefined => {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.startsWith(prefix));
  const holders = files.map((name) => parseHolder(readIfThere(join(folder, name))));
  return holders.find((holder) => holder !== undefined && holds(holder))?.pid;
};

/** Milliseconds. A process whose starter was killed ends within this time. */
const formerEndsWithin = 10_000;

/**
 * Uses a folder whose former process may be about to end: waits for that up to 10 s.
 * @throws what `use` throws, `FolderInUse` only after that time
 */
export const afterFormerHolder = async <Result>(use: () => Promise<Result>): Promise<Result> => {
  const until = systemClock.monotonic() + formerEndsWithin;
  for (;;) {
    try {
      return await use();
    } catch (error) {
      const isInUse = error instanceof DatabaseError && error.code === 'FolderInUse';
      if (!isInUse || systemClock.monotonic() > until) throw error;
      await sleep(systemClock, 100);
    }
  }
};

const inUse = (folder: string, pid: number): DatabaseError =>
  new DatabaseError(
    'FolderInUse',
    `The data folder ${folder} is in use by process ${pid}.`,
    `Stop that process (kill ${pid}), or choose another folder with DATA_DIR.`,
  );

/**
 * Locks the folder for this process, until `release` or the end of the process. Every process first writes its own file
 * and then looks for others. So of two that start together at least one sees the other. A file of a killed process (its
 * id is unused, or belongs to a process started later) is ignored.
 * @throws DatabaseError `FolderInUse`, which names the holder, or `FolderNotWritable`
 */
export const lockFolder = (folder: string): FolderLock => {
  const path = resolve(folder);
  if (heldHere.has(path)) throw inUse(path, process.pid);
  const holder: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname() };
  const name = `${prefix}${process.pid}-${randomUUID()}.json`;
  const file = join(path, name);
  makeDataFolder(path);
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' });
  } catch (error) {
    throw folderNotWritable(path, error);
  }
  const other = otherHolders(path, name)[0];
  if (other) {
    removeQuietly(file);
    throw inUse(path, other.pid);
  }
  heldHere.add(path);
  return {
    release: () => {
      heldHere.delete(path);
      removeQuietly(file);
    },
  };
};
