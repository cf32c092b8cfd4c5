import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { type Clock, systemClock, type Timer } from '@shardnode/core/lifecycle';
import { createLogger } from '@shardnode/core/observability';
import { engineOptions, StartFailure } from '@shardnode/core/process';
import { type ServiceState } from '@shardnode/messages/cluster';

/** A service as a program with its environment. */
export interface ServiceProgram {
  readonly name: string;
  /** Its built main.js. */
  readonly file: string;
  /** All variables of the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variable of its port. */
  readonly portSetting: 'PORT' | 'HEALTH_PORT' | 'EXPLORER_PORT';
}

/** The line that a service prints when it accepts requests. */
export interface ReadyLine {
  readonly service: string;
  readonly port: number;
  readonly pid: number;
  readonly startedInMs: number;
}

export interface ChildServiceOptions {
  /** Undefined: its log goes to the standard error of this process. */
  readonly logFile: string | undefined;
  /** Writes a line to the terminal: errors, and events of the process. */
  readonly print: (line: string) => void;
  /**
   * Below the services of this process by this much (`nice`) once it is ready: it gets the processor time that they leave.
   * It is of their session then, because systems share time between sessions before they look at priorities.
   */
  readonly niceness?: number;
  /** Serves the channel of each process that was started; its messages may hold bytes. */
  readonly serveChannel?: (child: ChildProcess) => void;
  /** Default: that of the machine. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

/** Milliseconds. After `calm` of uptime the earlier ends of a service no longer count. */
const times = { firstPause: 1_000, longestPause: 30_000, calm: 60_000, stop: 20_000 };

const errorLevel = 50;

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

/** A JSON line of the log, undefined for any other text. */
const parseLogLine = (line: string): LogLine | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
};

/** The ready line of a service; undefined for any other line, such as those of libraries. */
const parseReadyLine = (line: string): ReadyLine | undefined => {
  const said = parseLogLine(line) as Partial<ReadyLine> | undefined;
  return typeof said?.service === 'string' && typeof said.port === 'number' ? (said as ReadyLine) : undefined;
};

/** Of its first thread, which does its work. A process that has just ended has none. */
const lowerPriority = (pid: number, niceness: number): void => {
  try {
    setPriority(pid, niceness);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
};

const howItEnded = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `with code ${code ?? '?'}` : `by ${signal}`;

/** A service as a process: started, watched, restarted after a failure, held on request, stopped gracefully. */
export class ChildService {
  private readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  private child: ChildProcess | undefined;
  private log: WriteStream | undefined;
  private nextStart: Timer | undefined;
  /** False: it is not restarted after its end. */
  private isWanted = true;
  private isHeld = false;
  private ends = 0;
  private readySince: number | undefined;
  /** Its output since the start besides the log: the reason of a failed start. */
  private lastWords: string[] = [];
  private listening: ReadyLine | undefined;

  constructor(
    private readonly program: ServiceProgram,
    private readonly options: ChildServiceOptions,
  ) {
    this.clock = options.clock ?? systemClock;
  }

  get name(): string {
    return this.program.name;
  }

  /** Port of the last time that it was ready. */
  get port(): number {
    return this.listening?.port ?? 0;
  }

  get state(): ServiceState['state'] {
    if (this.isHeld) return 'held';
    return this.child && this.readySince !== undefined ? 'running' : 'down';
  }

  /**
   * Resolves when it accepts requests. Throws StartFailure with its last output when it ends before; then it is not
   * restarted.
   */
  start(): Promise<ReadyLine> {
    this.openLog();
    return new Promise((resolve, reject) => {
      this.spawn(resolve, (how) => reject(this.failure(how)));
    });
  }

  /** Stops it; only `release` starts it again. */
  async hold(): Promise<void> {
    this.isHeld = true;
    await this.end();
  }

  /**
   * Starts it again after `hold`. Resolves when it accepts requests. Throws StartFailure with its last output when it
   * ends before; the cluster retries.
   */
  release(): Promise<ReadyLine> {
    this.isHeld = false;
    this.isWanted = true;
    this.ends = 0;
    return new Promise((resolve, reject) => {
      this.spawn(resolve, (how) => {
        reject(this.failure(how));
        this.startAgain(how);
      });
    });
  }

  /** Stops it and starts it again, as `release` does. */
  async restart(): Promise<ReadyLine> {
    await this.end();
    return this.release();
  }

  /** Stops it permanently. */
  async stop(): Promise<void> {
    await this.end();
    const { log } = this;
    if (log) await new Promise<void>((resolve) => log.end(resolve));
  }

  /** Sends SIGTERM; kills it after 20 s. */
  private async end(): Promise<void> {
    this.isWanted = false;
    this.nextStart?.cancel();
    const { child } = this;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const impatience = this.clock.after(times.stop, () => {
      this.options.print(`${this.name} does not stop gracefully and is killed`);
      child.kill('SIGKILL');
    });
    child.kill('SIGTERM');
    await ended;
    impatience.cancel();
  }

  private openLog(): void {
    const { logFile, print } = this.options;
    if (logFile === undefined) return;
    mkdirSync(dirname(logFile), { recursive: true });
    this.log = createWriteStream(logFile, { flags: 'a' });
    // A full disk ends the log, not the network.
    this.log.on('error', ({ message }) => print(`${this.name}: its log ends here (${message})`));
  }

  private failure(how: string): StartFailure {
    const words = this.lastWords.join('\n');
    const place = this.options.logFile === undefined ? '' : `; see ${this.options.logFile}`;
    return new StartFailure(words === '' ? `${this.name} ended ${how}${place}.` : words);
  }

  private spawn(onReady: (line: ReadyLine) => void, onEarlyEnd?: (how: string) => void): void {
    const { file, environment, portSetting } = this.program;
    const port = this.listening && { [portSetting]: String(this.listening.port) };
    const { niceness, serveChannel } = this.options;
    const child = spawn(process.execPath, [...engineOptions, file], {
      env: { ...environment, ...port },
      // The channel notifies the service of the death of its starter. The services are a process group of their own,
      // because Ctrl-C at the terminal is for the starter alone, which stops them gracefully.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: serveChannel ? 'advanced' : 'json',
      detached: niceness === undefined,
    });
    serveChannel?.(child);
    this.child = child;
    this.lastWords = [];
    this.readySince = undefined;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const ready = parseReadyLine(line);
      if (!ready) return this.heard(line);
      this.listening = ready;
      if (niceness !== undefined) lowerPriority(ready.pid, niceness);
      this.readySince = this.clock.monotonic();
      onReady(ready);
    });
    createInterface({ input: child.stderr! }).on('line', (line) => this.heard(line));
    child.once('error', (error) => this.lastWords.push(error.message));
    child.once('close', (code, signal) => {
      this.child = undefined;
      const how = howItEnded(code, signal);
      if (!this.isWanted) return;
      if (this.readySince === undefined && onEarlyEnd) onEarlyEnd(how);
      else this.startAgain(how);
    });
  }

  private heard(line: string): void {
    const entry = parseLogLine(line);
    if (this.log) this.log.write(`${line}\n`);
    else if (entry) process.stderr.write(`${line}\n`);
    if (!entry) {
      this.lastWords.push(line);
      if (this.readySince !== undefined) this.options.print(`${this.name}: ${line}`);
    } else if (this.log && (entry.level ?? 0) >= errorLevel) {
      const reason = entry.err?.message === undefined ? '' : ` (${entry.err.message})`;
      this.options.print(`${this.name}: ${entry.msg ?? 'an error'}${reason}`);
    }
  }

  private startAgain(how: string): void {
    const { readySince } = this;
    if (readySince !== undefined && this.clock.monotonic() - readySince > times.calm) this.ends = 0;
    const pauseMs = Math.min(times.firstPause * 2 ** this.ends++, times.longestPause);
    const words = readySince === undefined && this.lastWords.length > 0 ? `: ${this.lastWords.join(' ')}` : '';
    this.options.print(`${this.name} ended ${how}${words}; it is started again in ${pauseMs / 1000} s`);
    // A killed process cannot log its end, so its log gets the line here.
    if (this.log) {
      const log = createLogger({ service: this.name, destination: this.log });
      log.warn({ how, againInMs: pauseMs }, 'the process has ended and is started again');
    }
    this.nextStart = this.clock.after(pauseMs, () => {
      this.spawn(({ port, startedInMs }) =>
        this.options.print(`${this.name} is back on port ${port} after ${startedInMs} ms`),
      );
    });
  }
}
