import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { engineOptions } from '@shardnode/core/process';
import { builtProgram } from '@shardnode/testing/built-program';

type ServiceKind = 'group-node' | 'gateway' | 'wallet-service';

export interface ServiceProcess {
  readonly port: number;
  readonly pid: number;
  /** Resident memory in megabytes. */
  memory(): number;
  /** Graceful shutdown; killed after 15 s. */
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  readonly kind: ServiceKind;
  /** Settings; nothing else of this process's environment but the PATH is passed on. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Milliseconds. */
const times = { start: 60_000, stop: 15_000 };
/** Characters of the log that an error shows. */
const retainedLogLength = 4_000;

const running = new Set<ChildProcess>();
// Services must not outlive a process that ends without stopping them.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

const spawned = ({ kind, environment }: ServiceProcessOptions): ChildProcess => {
  const child = spawn(process.execPath, [...engineOptions, builtProgram(kind)], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C must reach only the parent process, which stops the service gracefully.
    detached: true,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};

const announced = (child: ChildProcess, kind: ServiceKind): Promise<{ readonly port: number }> =>
  new Promise((resolve, reject) => {
    let [text, log] = ['', ''];
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${kind} did not start within ${times.start / 1000} s\n${log}`));
    }, times.start);
    child.stderr!.on('data', (part: Buffer) => {
      log = (log + part.toString('utf8')).slice(-retainedLogLength);
    });
    child.stdout!.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(JSON.parse(text.slice(0, text.indexOf('\n'))) as { port: number });
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${kind} ended with ${signal ?? `code ${code}`}\n${log}`));
    });
  });

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const timer = setTimeout(() => child.kill('SIGKILL'), times.stop);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });

/** Resident memory of a process; by /proc. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Starts a built service as a process of its own; resolves when it takes requests. Its log is in the error of a failed start. */
export const startService = async (options: ServiceProcessOptions): Promise<ServiceProcess> => {
  const child = spawned(options);
  const { port } = await announced(child, options.kind);
  return {
    port,
    pid: child.pid!,
    memory: () => residentMegabytes(child.pid!),
    stop: () => stopped(child),
  };
};
