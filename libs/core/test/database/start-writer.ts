import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { repository, sourceFlags } from '@shardnode/testing/source-process';

const writer = fileURLToPath(new URL('./writer-process.ts', import.meta.url));

interface Child {
  readonly pid: number;
  readonly lines: string[];
  /** Resolves when so many lines came, or at the end. */
  printed(lines: number): Promise<void>;
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

interface Writing {
  readonly dataDir: string;
  /** Archive of a prepared cluster. */
  readonly prepared: string;
  readonly engine?: 'thread' | 'in-process';
}

/** A process that opens the folder, prints `open`, and then a number for each row that it was told is committed. */
export const startWriter = ({ dataDir, prepared, engine = 'thread' }: Writing): Child => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [...sourceFlags, writer, dataDir, prepared, engine], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  const take = (chunk: Buffer): void => {
    rest += chunk.toString();
    const parts = rest.split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    for (const wake of waiting) wake();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    pid: child.pid!,
    lines,
    ended,
    printed: (count) => {
      const enough = new Promise<void>((resolve) => {
        const wake = (): void => {
          if (lines.length >= count) resolve();
        };
        waiting.add(wake);
        wake();
      });
      return Promise.race([enough, ended]);
    },
    kill: (signal) => void child.kill(signal),
  };
};
