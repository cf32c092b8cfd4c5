import { type LatencyReport, type Percentiles } from './latency.js';
import { type SimulationReport } from './simulate.js';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const seconds = (value: number): string => `${value.toFixed(1)} s`;

/** Speed as a multiple of real time. */
const factorOf = ({ virtualSeconds, wallSeconds }: SimulationReport): number => virtualSeconds / wallSeconds;

const commandOf = ({ seed, rounds }: Pick<SimulationReport, 'seed' | 'rounds'>): string =>
  `npm run simulate -- --seed ${seed} --rounds ${rounds} --trace simulation-${seed}.log`;

const tableOf = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('');
};

const verdictOf = ({ problems }: SimulationReport): string =>
  problems.length === 0 ? 'sound: nothing is lost, all groups agree' : `${problems.length} problems`;

const gatewayOf = ({ answers, walletTransfers, unanswered }: SimulationReport): string =>
  answers === 0
    ? 'none with this seed'
    : `${whole(answers)} answers; ${walletTransfers} transfers of wallets acknowledged, ${unanswered} without an answer`;

/** The report of one simulation, for people. */
export const describeSimulation = (report: SimulationReport): string => {
  const { messages, faults } = report;
  const perProcessor = report.virtualSeconds / report.processorSeconds;
  const table = tableOf([
    ['seed, rounds', `${report.seed}, ${report.rounds}`],
    ['virtual time', seconds(report.virtualSeconds)],
    [
      'real time',
      `${seconds(report.wallSeconds)}: ${factorOf(report).toFixed(1)} times faster (${perProcessor.toFixed(1)} by processor time)`,
    ],
    ['blocks', `${whole(report.blocks)}, and ${report.orphans} beside the chains; ${whole(report.commits)} commits`],
    [
      'transactions',
      `${whole(report.acknowledged)} acknowledged, ${whole(report.confirmed)} confirmed, ${report.calls} of them calls; ${report.refused} rivals refused`,
    ],
    ['gateway', gatewayOf(report)],
    ['messages', `${whole(messages.sent)} sent, ${whole(messages.lost)} lost, ${whole(messages.repeated)} repeated`],
    [
      'faults',
      `${faults.kills} kills, ${faults.restarts} restarts, ${faults.partitions} partitions, ${faults.clockJumps} clocks set`,
    ],
    ['event log', `${whole(report.events)} events, hash ${report.hash}`],
    ['verdict', verdictOf(report)],
  ]);
  if (report.problems.length === 0) return table;
  return `${table}\n  first problem: ${report.problems[0]}\n  again, with every event: ${commandOf(report)}\n`;
};

/** One simulation among several, as a line for people. */
export const lineOfSimulation = (report: SimulationReport): string =>
  `seed ${String(report.seed).padStart(5)}  ${report.hash}  ${seconds(report.virtualSeconds).padStart(8)}  ` +
  `${`x${factorOf(report).toFixed(1)}`.padStart(6)}  ${String(report.acknowledged).padStart(5)} transactions  ` +
  `${String(report.faults.kills).padStart(3)} kills  ${report.problems.length === 0 ? 'sound' : 'FAILED'}\n`;

export const describeMany = (reports: readonly SimulationReport[], wallSeconds: number): string => {
  const sum = (value: (report: SimulationReport) => number): number =>
    reports.reduce((total, report) => total + value(report), 0);
  const failed = reports.filter(({ problems }) => problems.length > 0);
  const virtual = sum(({ virtualSeconds }) => virtualSeconds);
  const table = tableOf([
    ['seeds', `${reports.length}, of which ${failed.length} failed`],
    ['virtual time', seconds(virtual)],
    ['real time', `${seconds(wallSeconds)}: ${(virtual / wallSeconds).toFixed(1)} times faster`],
    ['transactions', `${whole(sum(({ acknowledged }) => acknowledged))} acknowledged`],
    [
      'faults',
      `${sum(({ faults }) => faults.kills)} kills, ${sum(({ faults }) => faults.partitions)} partitions, ` +
        `${whole(sum(({ messages }) => messages.lost))} messages lost`,
    ],
  ]);
  const failures = failed.map((report) => `  seed ${report.seed}: ${report.problems[0]}\n    ${commandOf(report)}\n`);
  return `\n${table}${failures.length > 0 ? `\n${failures.join('')}` : ''}`;
};

const times = (values: Percentiles): string => values.map((value) => whole(value)).join(' / ');

/** A row of the table of docs/simulator.md. */
export const describeLatency = (report: LatencyReport): string => {
  const { blocks, orphans, throughput, transactions } = report;
  const table = tableOf([
    ['between groups', `${report.latency} ms`],
    ['senders', `${report.senders}, each one transfer at a time, up to 0.4 s apart`],
    ['throughput', `${throughput.toFixed(1)} transactions a second (${whole(transactions)} in all)`],
    ['orphans', `${orphans} of ${whole(blocks)} blocks`],
    ['in a block, within a group', `${times(report.within)} ms (p50 / p95 / p99)`],
    ['in a block, between groups', `${times(report.between)} ms`],
    ['receiver can spend', `${times(report.spendable)} ms`],
    ['receiver has included it', `${times(report.received)} ms`],
    ['time', `${seconds(report.virtualSeconds)} virtual, ${seconds(report.wallSeconds)} real`],
    ['verdict', report.problems.length === 0 ? 'sound' : `${report.problems.length} problems: ${report.problems[0]}`],
  ]);
  return table;
};
