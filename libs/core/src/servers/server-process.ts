import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hasStopped, processStat } from '../system-processes/index.js';

export type ServerName = 'postgres' | 'nats' | 'redis';

/** A server as a child process: for tests, and for a network with its own servers. */
export interface ServerProcess {
  readonly name: ServerName;
  readonly port: number;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Includes the password, if there is one. Never log it. */
  readonly url: string;
  /** Starts again after `stop` or `kill9`, on the same port with the same data; resolves when it answers. */
  start(): Promise<void>;
  /** `immediate`: without finishing pending work, as after a power cut. Default `fast`. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** SIGKILL to it and all its children. */
  kill9(): Promise<void>;
  /** SIGSTOP to it and all its children; resolves when they have stopped. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
  /** The last 200 kB of its output. */
  log(): string;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
}

export interface ServerDefinition {
  readonly name: ServerName;
  readonly port: number;
  readonly url: string;
  readonly folder: string;
  readonly program: string;
  readonly args: readonly string[];
  /** User of the process, if it must not be root. */
  readonly identity?: { readonly uid: number; readonly gid: number };
  readonly stopSignals: { readonly fast: NodeJS.Signals; readonly immediate: NodeJS.Signals };
  /** Rejects while the server does not answer yet. */
  readonly answers: () => Promise<void>;
}

const retainedLogBytes = 200_000;
/** Milliseconds. */
const times = { start: 60_000, stop: 30_000, poll: 25 };

const running = new Set<ChildProcess>();
// Kills servers when this process ends without stopping them.
process.on('exit', () => running.forEach((child) => killAll(familyOf(child.pid), 'SIGKILL')));

/** The process and its descendants, from /proc; without /proc (macOS) only the process. */
const familyOf = (pid: number | undefined): number[] => {
  if (pid === undefined) return [];
  const children = new Map<number, number[]>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const parent = processStat(name)?.parent;
      if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    }
  } catch {
    return [pid];
  }
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
};

const killAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended already.
    }
  }
};

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

class ChildServer implements ServerProcess {
  private run: Run | undefined;
  private written = '';

  constructor(private readonly definition: ServerDefinition) {}

  get name(): ServerName {
    return this.definition.name;
  }
  get port(): number {
    return this.definition.port;
  }
  get url(): string {
    return this.definition.url;
  }
  get pid(): number | undefined {
    return this.run?.child.pid;
  }

  async start(): Promise<void> {
    if (this.run) throw new Error(`${this.name} runs already`);
    const run = this.spawn();
    this.run = run;
    const deadline = performance.now() + times.start;
    for (;;) {
      if (this.run !== run) throw new Error(`${this.name} did not start:\n${this.log().slice(-2_000)}`);
      try {
        return await this.definition.answers();
      } catch (error) {
        if (performance.now() > deadline) throw new Error(`${this.name} does not answer`, { cause: error });
      }
      await pause(times.poll);
    }
  }

  async stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const { run } = this;
    if (!run) return;
    run.child.kill('SIGCONT');
    run.child.kill(this.definition.stopSignals[how]);
    const impatience = setTimeout(() => killAll(familyOf(run.child.pid), 'SIGKILL'), times.stop);
    await run.ended;
    clearTimeout(impatience);
  }

  async kill9(): Promise<void> {
    const { run } = this;
    if (!run) return;
    killAll(familyOf(run.child.pid), 'SIGKILL');
    await run.ended;
  }

  async freeze(): Promise<void> {
    const family = familyOf(this.pid);
    killAll(family, 'SIGSTOP');
    while (!family.every(hasStopped)) await pause(1);
  }

  thaw(): void {
    killAll(familyOf(this.pid), 'SIGCONT');
  }

  log(): string {
    return this.written;
  }

  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.definition.folder, { recursive: true, force: true });
  }

  private spawn(): Run {
    const { program, args, identity, folder } = this.definition;
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C in a terminal must reach only the network, which stops its servers last.
      detached: true,
      ...identity,
    });
    running.add(child);
    const keep = (text: string): void => {
      this.written = (this.written + text).slice(-retainedLogBytes);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
    const ended = new Promise<void>((resolve) => {
      const end = (): void => {
        running.delete(child);
        if (this.run?.child === child) this.run = undefined;
        resolve();
      };
      child.once('exit', end);
      child.once('error', (error) => {
        keep(`${error.message}\n`);
        end();
      });
    });
    return { child, ended };
  }
}

/** Starts a server; resolves when it answers. A failed start leaves no process. */
export const startServer = async (definition: ServerDefinition): Promise<ServerProcess> => {
  const server = new ChildServer(definition);
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.kill9();
    throw error;
  }
};
