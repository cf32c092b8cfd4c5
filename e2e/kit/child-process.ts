import { type ChildProcess, spawn } from 'node:child_process';

export type Environment = Readonly<Record<string, string>>;

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that a test started, with what it has written. */
export interface StartedProcess {
  readonly pid: number;
  readonly ended: Promise<ProcessEnd>;
  /** Undefined while it runs. */
  end(): ProcessEnd | undefined;
  standardOutput(): string;
  standardError(): string;
  signal(signal: NodeJS.Signals): void;
  /** The first line of the standard output that fits; fails with all output when the process ends or time runs out. */
  line(fits: (line: string) => boolean, timeoutMs: number): Promise<string>;
}

const tail = (text: string): string => (text.length > 6_000 ? `...${text.slice(-6_000)}` : text);

/** Characters of each stream; who logs more is known by its last words. */
const mostKept = 4_000_000;

const collect = (stream: NodeJS.ReadableStream, onText: () => void): (() => string) => {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > 2 * mostKept) text = text.slice(-mostKept);
    onText();
  });
  return () => text;
};

const firstLine = (text: string, fits: (line: string) => boolean): string | undefined =>
  text
    .split('\n')
    .slice(0, -1)
    .find((line) => fits(line));

/** Starts a program with exactly the given environment, besides PATH and HOME. */
export const startProcess = (
  program: string,
  args: readonly string[],
  environment: Environment,
  folder: string,
): StartedProcess => {
  const { PATH = '', HOME = '' } = process.env;
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watchers = new Set<() => void>();
  const wake = (): void => watchers.forEach((watcher) => watcher());
  const standardOutput = collect(child.stdout!, wake);
  const standardError = collect(child.stderr!, wake);
  let end: ProcessEnd | undefined;
  // `close` comes after the last byte of both streams.
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('close', (code, signal) => {
      end = { code, signal };
      resolve(end);
      wake();
    });
    child.once('error', () => resolve({ code: -1, signal: null }));
  });
  const line = (fits: (line: string) => boolean, timeoutMs: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        watchers.delete(look);
        settle();
      };
      const fail = (why: string): void =>
        finish(() => reject(new Error(`${why}\n${tail(standardOutput())}\n${tail(standardError())}`)));
      const timer = setTimeout(() => fail(`nothing of the kind after ${timeoutMs} ms:`), timeoutMs);
      const look = (): void => {
        const found = firstLine(standardOutput(), fits);
        if (found !== undefined) finish(() => resolve(found));
        else if (end) fail(`the process ended (code ${end.code}, signal ${end.signal}):`);
      };
      watchers.add(look);
      look();
    });
  return {
    pid: child.pid ?? -1,
    ended,
    end: () => end,
    standardOutput,
    standardError,
    signal: (signal) => void child.kill(signal),
    line,
  };
};
