/** Processes of this machine, as Linux shows them in /proc. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessStat {
  /** A letter: `R` runs, `S` sleeps, `T` is stopped, `Z` has ended and its parent has not asked for its exit code. */
  readonly state: string;
  readonly parent: number;
  /** Milliseconds of processor time since it began, in steps of 10. */
  readonly processorMs: number;
  /** Ticks between the start of the machine and its own. */
  readonly startedAt: string;
}

/** Milliseconds of a clock tick in /proc, on every architecture of Linux. */
const tickMs = 10;

/**
 * Facts of the system about a process or thread; undefined if there is none, and where there is no /proc.
 * @param place below /proc: a process id, or `17/task/18`
 */
export const processStat = (place: number | string): ProcessStat | undefined => {
  try {
    const text = readFileSync(`/proc/${place}/stat`, 'latin1');
    // Behind the name in brackets, which may hold anything: state is field 3, utime 14, stime 15, starttime 22.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields as [string, string];
    const processorMs = (Number(fields[11]) + Number(fields[12])) * tickMs;
    return { state, parent: Number(parent), processorMs, startedAt: fields[19]! };
  } catch {
    return undefined;
  }
};

/** States of processes that have ended. */
const ended = 'ZX';

/**
 * Whether a process runs. One that was killed and whose parent does not ask for its exit code keeps its id, and no
 * signal reaches it any more: it does not run.
 */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const stat = processStat(pid);
  return stat === undefined || !ended.includes(stat.state);
};

/**
 * Whether all threads of a process have stopped, or it has ended: SIGSTOP takes effect some time after it was sent. Always
 * true where there is no /proc.
 */
export const hasStopped = (pid: number): boolean => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) => `T${ended}`.includes(processStat(`${pid}/task/${thread}`)?.state ?? 'X'));
  } catch {
    return true;
  }
};
