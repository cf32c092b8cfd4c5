import { writeFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineOptions } from '@shardnode/core/process';
import { hasStopped } from '@shardnode/core/system-processes';
import { builtProgram } from '@shardnode/testing/built-program';
import { type HeapSample, readHeapSamples } from '@shardnode/testing/heap-samples';
import { type Environment, type ProcessEnd, startProcess, type StartedProcess } from '../child-process.js';
import { patience } from '../patience.js';
import { waitFor } from '../wait-for.js';
import { type Reaper } from './reaper.js';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const injectedMain = join(projectFolder, 'e2e/kit/injected-main.mjs');

export const groupNodeNames = ['group-node-0', 'group-node-1', 'group-node-2', 'group-node-3'] as const;
/** Of one database: the second is on standby. */
export const explorerNames = ['explorer', 'explorer-2'] as const;
export type ProcessName =
  (typeof groupNodeNames)[number] | 'wallet-service' | 'gateway' | 'gateway-2' | (typeof explorerNames)[number];

/** Milliseconds. */
const times = { start: 60_000, stop: 30_000, health: 2_000 };

export interface ProcessDefinition {
  readonly name: ProcessName;
  /** `group-node`. */
  readonly application: string;
  /** Of HTTP, the same at every start. */
  readonly port: number;
  /** What its place in the cluster asks for; read at every start. */
  readonly environment: () => Environment;
  readonly clockFile: string;
  readonly heapFile: string;
  readonly reaper: Reaper;
}

/** One service of a cluster. */
export class ClusterProcess {
  private readonly history: StartedProcess[] = [];
  private began = 0;
  private kept: Environment = {};
  private readyAfter: Promise<number> = Promise.reject(new Error('it was never started'));

  constructor(private readonly definition: ProcessDefinition) {
    this.readyAfter.catch(() => undefined);
  }

  get name(): ProcessName {
    return this.definition.name;
  }
  /** Where its HTTP is: the API, or health and metrics. */
  get url(): string {
    return `http://127.0.0.1:${this.definition.port}`;
  }
  get port(): number {
    return this.definition.port;
  }
  get pid(): number | undefined {
    return this.current?.pid;
  }
  get isRunning(): boolean {
    return this.current !== undefined;
  }
  /** Milliseconds from the last start until `/health/ready` answers yes. Fails when the process ends before, or takes too long. */
  get ready(): Promise<number> {
    return this.readyAfter;
  }
  /** The end of the last start. */
  get ended(): Promise<ProcessEnd> {
    const last = this.history.at(-1);
    if (!last) throw new Error(`${this.name} was never started`);
    return last.ended;
  }

  /** Settings of this process alone, for all later starts. */
  configure(settings: Environment): void {
    this.kept = { ...this.kept, ...settings };
  }

  /** Starts and does not wait; see `ready` and `ended`. Settings hold for this start only. */
  begin(settings: Environment = {}): void {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    this.began = performance.now();
    const started = this.spawn({ ...this.kept, ...settings });
    this.history.push(started);
    this.readyAfter = this.waitReady(started);
    this.readyAfter.catch(() => undefined);
  }

  /** One more process with the same settings and those given, which this object does not follow. */
  another(settings: Environment): StartedProcess {
    return this.spawn(settings);
  }

  /** Starts and waits until it is ready. Gives the milliseconds that it took. */
  start(settings: Environment = {}): Promise<number> {
    this.begin(settings);
    return this.readyAfter;
  }

  /** As Ctrl-C does, or an orchestrator with SIGTERM; waits for the end. */
  async stop(how: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<ProcessEnd> {
    const process = this.current;
    if (!process) return { code: null, signal: null };
    const impatience = setTimeout(() => process.signal('SIGKILL'), times.stop);
    process.signal('SIGCONT');
    process.signal(how);
    const end = await process.ended;
    clearTimeout(impatience);
    return end;
  }

  /** Ends it without a chance to write anything. */
  async kill9(): Promise<void> {
    const process = this.current;
    process?.signal('SIGKILL');
    await process?.ended;
  }

  /** SIGSTOP: it does nothing and does not know it. Resolves when all of its threads have stopped. */
  async freeze(): Promise<void> {
    const frozen = this.current;
    frozen?.signal('SIGSTOP');
    if (frozen) await waitFor(`${this.name} to stop`, () => hasStopped(frozen.pid), { everyMs: 1 });
  }

  /** SIGCONT. */
  thaw(): void {
    this.current?.signal('SIGCONT');
  }

  async restart(settings: Environment = {}): Promise<number> {
    await this.stop();
    return this.start(settings);
  }

  /** Whether `/health/ready` says so now, with the reasons if not. */
  async health(): Promise<{ readonly ready: boolean; readonly reasons: readonly string[] }> {
    try {
      const answer = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(times.health) });
      const { ready, reasons } = (await answer.json()) as { ready: boolean; reasons: string[] };
      return { ready: answer.ok && ready, reasons };
    } catch (error) {
      return { ready: false, reasons: [`/health/ready does not answer: ${String(error)}`] };
    }
  }

  /** Its wall clock goes so many milliseconds ahead of the machine's (behind, if negative). */
  setClockOffset(milliseconds: number): void {
    // A half-written number would be another one.
    const { clockFile } = this.definition;
    writeFileSync(`${clockFile}.new`, String(milliseconds));
    renameSync(`${clockFile}.new`, clockFile);
  }

  /** What all its starts kept in memory, one after the other; with `heapEveryMs` of the cluster. */
  heapSamples(): readonly HeapSample[] {
    return readHeapSamples(this.definition.heapFile);
  }

  /** Metrics in the text form of Prometheus. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.url}/metrics`, { signal: AbortSignal.timeout(times.health) })).text();
  }

  /** What all its starts have written; of each the last megabytes. */
  log(): string {
    return this.history.map((start) => start.standardOutput() + start.standardError()).join('\n');
  }

  private get current(): StartedProcess | undefined {
    const last = this.history.at(-1);
    return last?.end() ? undefined : last;
  }

  private spawn(settings: Environment): StartedProcess {
    const { application, environment, reaper } = this.definition;
    // The clock of each process, and its crash points, are the tests'.
    const words = [...engineOptions, injectedMain, builtProgram(application)];
    const started = startProcess(process.execPath, words, { ...environment(), ...settings }, projectFolder);
    reaper.watchProcess(started.pid);
    void started.ended.then(() => reaper.forgetProcess(started.pid));
    return started;
  }

  private async waitReady(started: StartedProcess): Promise<number> {
    const timeoutMs = patience(times.start);
    await started.line((line) => line.startsWith('{"service"'), timeoutMs);
    let reasons: readonly string[] = [];
    try {
      await waitFor(
        `${this.name} to be ready`,
        async () => {
          if (started.end()) return true;
          const health = await this.health();
          reasons = health.reasons;
          return health.ready;
        },
        { timeoutMs, everyMs: 40 },
      );
    } catch (error) {
      const said = `${reasons.join('; ')}\n${this.log().slice(-3_000)}`;
      throw new Error(`${(error as Error).message}: ${said}`, { cause: error });
    }
    if (started.end()) throw new Error(`${this.name} ended before it was ready:\n${this.log().slice(-3_000)}`);
    return performance.now() - this.began;
  }
}
