import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { processStat } from '@shardnode/core/system-processes';
import { until } from '../waiting/index.js';

/** A process that was killed, and whose parent does not ask for its exit code: its id stays taken. Needs /proc. */
export interface EndedProcess {
  readonly pid: number;
  /** Ends the parent, too. */
  remove(): void;
}

export const startEndedProcess = async (): Promise<EndedProcess> => {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString('utf8'));
  // A shell may ask for the exit codes of its children, `sleep` does not.
  const name = (): string => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
  await until('the shell to have become another program', async () => name() === 'sleep');
  process.kill(pid, 'SIGKILL');
  await until('the process to have ended', async () => processStat(pid)?.state === 'Z');
  return { pid, remove: () => void parent.kill('SIGKILL') };
};
