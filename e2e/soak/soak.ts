import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type ClusterProcess } from '../kit/cluster/cluster-process.js';
import { reviveTarget, serverNames, type Target } from '../kit/cluster/harm.js';
import { logSummary } from '../kit/cluster/log-lines.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { WalletSenders } from '../kit/cluster/wallet-senders.js';
import { ContractLoad } from '../kit/contracts/contract-load.js';
import { groups } from '../kit/chains.js';
import { patience } from '../kit/patience.js';
import { waitFor } from '../kit/wait-for.js';
import { type CheckResult, runChecks } from './checks.js';
import { type FaultKind, faultKinds, runningNames } from './faults.js';
import { judgeMemory, type MemorySample, type MemoryVerdict } from './memory.js';
import {
  checkTable,
  clockText,
  type FaultRecord,
  faultTable,
  memoryCheck,
  memoryTable,
  secondsText,
} from './report.js';
import { timetable } from './timetable.js';

export interface SoakOptions {
  /** Milliseconds under load and faults; start and checks come on top. */
  readonly lengthMs: number;
  /** Mean of the peace before each fault, milliseconds. */
  readonly everyMs: number;
  readonly seed: number;
  /** An existing folder, for the report and the logs. */
  readonly out: string;
  /** Ends load and faults early; the checks follow. */
  readonly signal: AbortSignal;
}

/** What `report.json` holds. */
export interface SoakReport {
  readonly seed: number;
  /** Milliseconds under load and faults. */
  readonly lengthMs: number;
  /** Whether all checks hold. */
  readonly isOk: boolean;
  /** Transactions: transfers, those of wallets, sweeps and scripts. */
  readonly acknowledged: number;
  readonly sweeps: number;
  readonly faults: readonly FaultRecord[];
  readonly memory: readonly MemoryVerdict[];
  readonly checks: readonly CheckResult[];
  readonly samples: readonly MemorySample[];
  /** Lines of the logs that name a fault of ours (level error), with how often. */
  readonly errors: readonly string[];
}

/** Milliseconds. Senders wait for each answer, and are slow enough for a cluster on two cores. */
const times = { sender: 3_000, wallet: 3_000, contract: 1_000, sample: 30_000, line: 60_000, recovery: 90_000 };
const senders = { perGroup: 8, wallets: 4, contractsPerGroup: 1, sweepEvery: 10 };
/** Megabytes of the disk that can be filled, for each hour, one at least. */
const diskMegabytes = 1_024;
/** Seconds between two rounds of blocks: a node keeps all headers, so the number of blocks alone makes its memory grow. */
const miningInterval = 8;
const hour = 3_600_000;
const errorLevel = 50;

/** A cluster with an explorer under load, what is done to it, and what was seen. */
class Soak {
  private readonly over = new AbortController();
  private readonly began = performance.now();
  private readonly faults: FaultRecord[] = [];
  /** What went wrong while it ran. */
  private readonly problems: string[] = [];
  private underWay = 'no fault';
  private blocks = 'blocks unknown';

  constructor(
    private readonly scenario: Scenario,
    private readonly contracts: ContractLoad,
    private readonly wallets: WalletSenders,
    private readonly options: SoakOptions,
  ) {}

  async run(): Promise<SoakReport> {
    const { options, contracts, wallets } = this;
    const { load } = this.scenario;
    const end = (): void => this.over.abort();
    const timer = setTimeout(end, options.lengthMs);
    options.signal.addEventListener('abort', end, { once: true });
    if (options.signal.aborted) end();
    for (const one of [load, wallets, contracts]) one.begin();
    await Promise.all([this.every(times.line, () => this.tell()), this.harm()]);
    clearTimeout(timer);
    return this.finish(this.elapsed);
  }

  private get elapsed(): number {
    return performance.now() - this.began;
  }
  private get processes(): readonly ClusterProcess[] {
    return runningNames.map((name) => this.scenario.cluster.process(name));
  }

  private say(text: string): void {
    this.print(`${clockText(this.elapsed)}  ${text}\n`);
  }

  /** A run that is ended from outside leaves what it has said. */
  private print(text: string): void {
    process.stdout.write(text);
    appendFileSync(join(this.options.out, 'run.log'), text);
  }

  private fail(text: string): void {
    // Ctrl-C in a terminal stops all processes; they are started again for the checks, which judge.
    if (this.options.signal.aborted) return;
    this.problems.push(text);
    this.say(`FAILED: ${text}`);
  }

  /** Resolves early when load and faults are over. */
  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.over.signal }).catch(() => undefined);
  }

  private async every(milliseconds: number, act: () => Promise<void> | void): Promise<void> {
    while (!this.over.signal.aborted) {
      await this.pause(milliseconds);
      await act();
    }
  }

  /** Of all processes since the run began. */
  private memorySamples(): readonly MemorySample[] {
    const began = performance.timeOrigin + this.began;
    const megabyte = 1 << 20;
    return this.processes.flatMap((process) =>
      process
        .heapSamples()
        .filter(({ time }) => time >= began)
        .map(({ time, age, kept, resident }) => ({
          process: process.name,
          at: time - began,
          age,
          megabytes: kept / megabyte,
          resident: resident / megabyte,
        })),
    );
  }

  private async tell(): Promise<void> {
    const { load, api } = this.scenario;
    api.forget();
    const absent = await this.notReady();
    await this.lookAtBlocks();
    const confirmed = load.transactions.filter(({ blockHash }) => blockHash !== undefined).length;
    const parts = [
      `${load.acknowledged} acknowledged`,
      `${confirmed} confirmed`,
      this.blocks,
      `${this.faults.length} faults`,
      this.underWay,
      absent.length === 0 ? 'all ready' : `not ready: ${absent.join(', ')}`,
    ];
    this.say(parts.join(', '));
  }

  /** As the explorer sees them; keeps what it has seen last. */
  private async lookAtBlocks(): Promise<void> {
    const { url } = this.scenario.cluster.process('explorer');
    try {
      const answer = await fetch(`${url}/infos/heights`, { signal: AbortSignal.timeout(2_000) });
      const heights = (await answer.json()) as readonly { readonly value: number }[];
      if (!answer.ok) return;
      this.blocks = `${heights.reduce((sum, { value }) => sum + value, 0)} blocks`;
    } catch {
      // It is away, as it may be.
    }
  }

  private async notReady(): Promise<readonly string[]> {
    const states = await Promise.all(
      this.processes.map(async (one) => ({ name: one.name, ready: (await one.health()).ready })),
    );
    return states.filter(({ ready }) => !ready).map(({ name }) => name);
  }

  private async harm(): Promise<void> {
    const { seed, everyMs } = this.options;
    const { disk } = this.scenario.cluster;
    const kinds = faultKinds.filter(({ name }) => disk !== undefined || name !== 'full disk');
    const plan = timetable(kinds, everyMs, seededRandom(seed));
    const random = seededRandom(seed + 1);
    for (;;) {
      const { afterMs, kinds: next } = plan.next().value;
      await this.pause(afterMs);
      if (this.over.signal.aborted) return;
      await this.harmOnce(next, random);
    }
  }

  private async harmOnce(kinds: readonly FaultKind[], random: () => number): Promise<void> {
    const at = this.elapsed;
    const names = kinds.map(({ name }) => name);
    this.underWay = names.join(' and ');
    let over = at;
    const harmed = kinds.map(async ({ harm, lastsMs: [least, most] }) => {
      const lasts = least + random() * (most - least);
      const { what, undo } = await harm(this.scenario.cluster, random);
      await this.pause(lasts);
      over = this.elapsed;
      await undo().catch((error: unknown) => this.fail(`the end of ${what}: ${String(error)}`));
      return what;
    });
    const outcomes = await Promise.allSettled(harmed);
    const what = outcomes
      .map((outcome, index) => {
        if (outcome.status === 'fulfilled') return outcome.value;
        this.fail(`${names[index]}: ${String(outcome.reason)}`);
        return names[index];
      })
      .join(' and ');
    const isRecovered = await this.recover(what);
    const recoveredMs = isRecovered ? this.elapsed - over : undefined;
    this.faults.push({ kinds: names, what, at, lastedMs: over - at, recoveredMs });
    this.underWay = 'no fault';
    const after = recoveredMs === undefined ? 'not recovered' : `recovered after ${secondsText(recoveredMs)}`;
    this.say(`${what} for ${secondsText(over - at)}, ${this.over.signal.aborted ? 'the run is over' : after}`);
  }

  /**
   * Waits until all processes are ready and each group has acknowledged a transfer that was sent since now. False: it took too
   * long, or the run is over, and nobody sends.
   */
  private async recover(what: string): Promise<boolean> {
    const { transactions } = this.scenario.load;
    const first = transactions.length;
    try {
      await waitFor(
        'all processes to be ready, and each group to take transfers',
        async () => {
          if (this.over.signal.aborted) return true;
          await this.revive();
          const absent = await this.notReady();
          if (absent.length > 0) throw new Error(`not ready: ${absent.join(', ')}`);
          const sent = transactions.slice(first);
          return groups.every((group) => sent.some(({ from, acknowledged }) => from === group && acknowledged));
        },
        { timeoutMs: patience(times.recovery), everyMs: 250 },
      );
    } catch (error) {
      this.fail(`after ${what}: ${(error as Error).message}`);
      return false;
    }
    return !this.over.signal.aborted;
  }

  /** Starts what has ended, as an orchestrator does; nothing may end by itself while it runs. */
  private async revive(): Promise<void> {
    const { cluster } = this.scenario;
    const servers: readonly Target[] = serverNames.filter((name) => cluster.servers[name].pid === undefined);
    const absent = this.processes.filter(({ isRunning }) => !isRunning).map(({ name }) => name);
    for (const target of [...servers, ...absent]) {
      this.fail(`${target} has ended by itself`);
      await reviveTarget(cluster, target);
    }
  }

  private async finish(lengthMs: number): Promise<SoakReport> {
    const { contracts, wallets, scenario, options } = this;
    const { cluster, load } = scenario;
    this.say('load and faults are over; checking');
    const allReady = async (): Promise<string> => {
      cluster.disk?.free();
      for (const name of runningNames) cluster.setClockOffset(name, 0);
      await cluster.heal();
      await waitFor(
        'all processes to be ready',
        async () => {
          await this.revive();
          const absent = await this.notReady();
          if (absent.length > 0) throw new Error(`not ready: ${absent.join(', ')}`);
          return true;
        },
        { timeoutMs: patience(times.recovery), everyMs: 250 },
      );
      await Promise.all([load.rest(), wallets.rest(), contracts.rest()]);
      await wallets.expectKept();
      return `${this.processes.length} processes`;
    };
    const recovered = (): string => {
      if (this.problems.length > 0) throw new Error(this.problems.join('; '));
      return `${this.faults.length} faults`;
    };
    const samples = this.memorySamples();
    const memory = judgeMemory(samples, lengthMs);
    const before = [
      { name: 'all ready, load at rest', run: allReady },
      { name: 'each fault was recovered from', run: recovered },
      { name: 'memory is flat', run: () => memoryCheck(memory) },
    ];
    const checks = await runChecks(scenario, before, ({ name, isOk }) =>
      this.say(`${name}: ${isOk ? 'ok' : 'FAILED'}`),
    );
    const errors = logSummary(cluster, errorLevel).split('\n').filter(Boolean);
    const report: SoakReport = {
      seed: options.seed,
      lengthMs,
      isOk: checks.every(({ isOk }) => isOk),
      acknowledged: load.acknowledged,
      sweeps: wallets.sweeps,
      faults: this.faults,
      memory,
      checks,
      errors,
      samples,
    };
    this.print(`\n${[faultTable(this.faults), memoryTable(memory), checkTable(checks)].join('\n\n')}\n`);
    writeFileSync(join(options.out, 'report.json'), `${JSON.stringify(report, null, 1)}\n`);
    return report;
  }
}

/** A file for each process, with all its starts. */
const writeLogs = (processes: readonly ClusterProcess[], out: string): void => {
  const folder = join(out, 'logs');
  mkdirSync(folder, { recursive: true });
  for (const process of processes) writeFileSync(join(folder, `${process.name}.log`), process.log());
};

/** A cluster of its own under load and faults, and the judgement at its end. @throws when it does not get under way */
export const soak = async (options: SoakOptions): Promise<SoakReport> => {
  const { seed, lengthMs } = options;
  const scenario = await openScenario('soak', {
    explorers: true,
    heapEveryMs: times.sample,
    postgresDiskMegabytes: Math.round(diskMegabytes * Math.max(1, lengthMs / hour)),
    postgres: { max_wal_size: '64MB', min_wal_size: '32MB' },
    settings: { MINING: 'interval', MINING_INTERVAL: String(miningInterval), RATE_LIMIT: '1000000' },
    load: {
      sendersPerGroup: senders.perGroup,
      seed,
      everyMs: times.sender,
      untilConfirmed: true,
      gatewaysMayBreak: true,
    },
  });
  try {
    const { cluster, api, funded, load } = scenario;
    await cluster.process('explorer').start();
    const wallets = await WalletSenders.prepare([api], funded, load, {
      wallets: senders.wallets,
      everyMs: times.wallet,
      sweepEvery: senders.sweepEvery,
      untilConfirmed: true,
      mayBreak: true,
    });
    const contracts = await ContractLoad.prepare([api], funded, load, {
      sendersPerGroup: senders.contractsPerGroup,
      seed,
      everyMs: times.contract,
    });
    return await new Soak(scenario, contracts, wallets, options).run();
  } finally {
    writeLogs(
      runningNames.map((name) => scenario.cluster.process(name)),
      options.out,
    );
    await scenario.remove();
  }
};
