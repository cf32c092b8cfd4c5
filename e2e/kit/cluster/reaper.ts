import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = join(dirname(fileURLToPath(import.meta.url)), 'reaper-process.mjs');

/**
 * Remembers processes and folders of a test outside of the test's own process, and ends and removes them when that
 * process is gone: hooks of a process do not run when it is killed, and not at all inside of Jest.
 */
export interface Reaper {
  watchProcess(pid: number): void;
  forgetProcess(pid: number): void;
  watchFolder(folder: string): void;
  forgetFolder(folder: string): void;
  /** Ends what is not forgotten. */
  close(): Promise<void>;
}

export const startReaper = (): Reaper => {
  // Its own session: a terminal's Ctrl-C is not for it.
  const child: ChildProcess = spawn(process.execPath, [program], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const tell = (line: string): void => void child.stdin!.write(`${line}\n`);
  child.stdin!.on('error', () => undefined);
  child.unref();
  return {
    watchProcess: (pid) => tell(`+${pid}`),
    forgetProcess: (pid) => tell(`-${pid}`),
    watchFolder: (folder) => tell(`+${folder}`),
    forgetFolder: (folder) => tell(`-${folder}`),
    close: async () => {
      // Who waits for it is alive meanwhile.
      child.ref();
      child.stdin!.end();
      await ended;
    },
  };
};
