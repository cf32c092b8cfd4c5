import { setTimeout as pause } from 'node:timers/promises';
import { numberColumns, tableLines } from '@shardnode/core/terminal';
import { oneOf } from '@shardnode/testing/seeded-random';
import { median, percentile } from '@shardnode/testing/statistics';
import { type Environment } from '../child-process.js';
import { type ClusterProcess, type ProcessName } from './cluster-process.js';
import { processorMilliseconds } from './process-memory.js';

/** One kill -9: at a crash point of the process (`CRASH_AT`), or at any moment. */
export interface Kill {
  readonly at: 'any moment' | CrashPoint;
  readonly during: 'load' | 'recovery';
}

/** Points of a group-node under load, and of its start. */
const loadPoints = ['before-commit', 'after-commit'] as const;
const startPoints = ['after-headers', 'after-projection', 'after-pool'] as const;
type CrashPoint = (typeof loadPoints)[number] | (typeof startPoints)[number];

/** Kills of one process that follow each other at once: it starts again after each of them. */
export interface Round {
  readonly process: ProcessName;
  readonly kills: readonly Kill[];
}

const isGroupNode = (name: ProcessName): boolean => name.startsWith('group-node');

/**
 * A third of the kills of each round meets the start that follows the first one. Rounds visit all processes in turn; moments
 * and points come from `random`.
 */
export const planRounds = (names: readonly ProcessName[], rounds: number, random: () => number): readonly Round[] => {
  return Array.from({ length: rounds }, (_, index) => {
    const process = names[index % names.length]!;
    const hasPoints = isGroupNode(process);
    const second: Kill['at'] = hasPoints && random() < 0.8 ? oneOf(startPoints, random) : 'any moment';
    const third: Kill['at'] = hasPoints ? oneOf(loadPoints, random) : 'any moment';
    return {
      process,
      kills: [
        { at: 'any moment', during: 'load' },
        { at: second, during: 'recovery' },
        { at: third, during: 'load' },
      ],
    };
  });
};

export const describeRound = ({ process, kills }: Round): string =>
  `${process}: ${kills.map(({ at, during }) => `${at} during ${during}`).join(', ')}`;

/** Milliseconds: how long a process that does its work may live until it reaches its crash point. */
const patienceForPoint = 120_000;

/** A process that dies again and again, and is started again at once, as an orchestrator does. */
export class Killer {
  /** Kills by `at` and `during`. */
  readonly done = new Map<string, number>();
  /** Of all starts after kills that became ready. */
  readonly times: RecoveryTime[] = [];
  /** Whose last start is not among the times. */
  private readonly started = new Set<ClusterProcess>();

  constructor(private readonly random: () => number) {}

  get kills(): number {
    return [...this.done.values()].reduce((sum, count) => sum + count, 0);
  }

  get killsDuringRecovery(): number {
    return [...this.done].reduce((sum, [what, count]) => (what.endsWith('recovery') ? sum + count : sum), 0);
  }

  /** Runs the round and waits until the process is ready. */
  async run(process: ClusterProcess, { kills }: Round): Promise<void> {
    for (const kill of kills) {
      await this.killOnce(process, kill);
      const { code, signal } = await process.ended;
      if (signal !== 'SIGKILL') throw new Error(`${process.name} ended by itself with ${code}:\n${tailOf(process)}`);
      this.count(kill);
      process.begin(this.settingsAfter(kill, kills));
      this.started.add(process);
    }
    await this.noteReady(process);
  }

  /** What the start after a kill gets, so that the next kill can come: its crash point, if it has one. */
  private settingsAfter(kill: Kill, kills: readonly Kill[]): Environment {
    const next = kills[kills.indexOf(kill) + 1];
    if (!next || next.at === 'any moment') return {};
    if (next.during === 'recovery') return { CRASH_AT: next.at };
    const passed = 2 + Math.floor(this.random() * 12);
    // What waits in the pool must survive as well as what was mined at once.
    return { CRASH_AT: `${next.at}:${passed}`, ...(passed % 3 === 0 ? { MINING: 'interval' } : {}) };
  }

  private async killOnce(process: ClusterProcess, { at, during }: Kill): Promise<void> {
    if (at !== 'any moment') return expectDeath(process, at);
    if (during === 'recovery') {
      // Between the first instruction and the last step of the start.
      await pause(this.random() * 800);
      return process.kill9();
    }
    await this.noteReady(process);
    await pause(this.random() * 400);
    await process.kill9();
  }

  /** The start of the whole cluster is not among the times. */
  private async noteReady(process: ClusterProcess): Promise<void> {
    const milliseconds = await process.ready;
    if (this.started.delete(process)) this.times.push(recoveryOf(process, milliseconds));
  }

  private count({ at, during }: Kill): void {
    const what = `${at} during ${during}`;
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
  }
}

const expectDeath = async (process: ClusterProcess, point: string): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`${process.name} never came to ${point}:\n${tailOf(process)}`));
    timer = setTimeout(fail, patienceForPoint);
  });
  try {
    await Promise.race([process.ended, late]);
  } finally {
    clearTimeout(timer);
  }
};

const tailOf = (process: ClusterProcess): string => process.log().slice(-3_000);

export interface RecoveryTime {
  readonly name: ProcessName;
  /** From the start until it is ready. */
  readonly milliseconds: number;
  /** Of its processor time; what is more is waiting: for servers, siblings, and for the machine when that is loaded. */
  readonly worked: number;
}

export const recoveryOf = ({ name, pid }: ClusterProcess, milliseconds: number): RecoveryTime => ({
  name,
  milliseconds,
  // 0: gone already, or another system.
  worked: processorMilliseconds(pid) ?? 0,
});

/** Median, 95th percentile and slowest of each service, and the median of the processor time; all in milliseconds. */
export const recoveryTable = (times: readonly RecoveryTime[]): string => {
  const serviceOf = ({ name }: RecoveryTime): string => name.replace(/-\d$/, '');
  const services = [...new Set(times.map(serviceOf))].sort();
  const rows = services.map((service) => {
    const of = times.filter((time) => serviceOf(time) === service);
    const ready = of.map(({ milliseconds }) => milliseconds);
    const worked = median(of.map((time) => time.worked));
    const numbers = [of.length, ...[50, 95, 100].map((percent) => percentile(ready, percent)), worked];
    return [service, ...numbers.map((number) => number.toFixed(0))];
  });
  const table = tableLines(
    [{ title: 'service' }, ...numberColumns('starts', 'median', 'p95', 'slowest', 'worked')],
    rows,
  );
  return ['ready again after kill -9, milliseconds', ...table, ''].join('\n');
};
