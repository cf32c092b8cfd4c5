import { markdownRows } from '../rows.js';
import { type Experience } from './bystander.js';
import { type FloodReport } from './flooding-client.js';

/** Resident memory of the process of the network, in megabytes. */
export interface Memory {
  readonly before: number;
  readonly most: number;
  readonly after: number;
  /** Seconds from the end of the flood until it was back. */
  readonly backAfter: number | undefined;
}

export interface Outcome {
  readonly section: string;
  readonly name: string;
  readonly alone: Experience;
  readonly beside: Experience;
  readonly memory: Memory;
  readonly report: FloodReport;
}

export const bars = {
  /** The other client's median beside a flood against alone. */
  medianTimes: 3,
  /** Milliseconds. */
  p99: 500,
  /** Megabytes at most, and after a minute: a collector leaves a part of what it has taken. */
  growth: 150,
  back: 30,
} as const;

/** Figures above their bars; empty: none. */
export const missesOf = ({ alone, beside, memory }: Outcome): string[] => [
  ...(beside.median > bars.medianTimes * alone.median
    ? [`median ${(beside.median / alone.median).toFixed(1)} times`]
    : []),
  ...(beside.p99 > bars.p99 ? [`p99 ${beside.p99.toFixed(0)} ms`] : []),
  ...(beside.failed.length > 0 ? [`${beside.failed.length} failed`] : []),
  ...(memory.most - memory.before > bars.growth ? [`memory +${(memory.most - memory.before).toFixed(0)} MB`] : []),
  ...(memory.backAfter === undefined ? ['memory is not back'] : []),
];

const header = [
  'flood',
  'requests',
  'median alone',
  'median',
  'p99 alone',
  'p99',
  'slowest',
  'own loop',
  'failed',
  'MB before',
  'most',
  'after',
  'above a bar',
];

const statusText = ({ tried, statuses }: FloodReport): string =>
  `${tried.toLocaleString('en-US')} (${Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count.toLocaleString('en-US')}`)
    .join(', ')})`;

const cellsOf = (outcome: Outcome): string[] => {
  const { name, alone, beside, memory, report } = outcome;
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  return [
    name,
    report.tried.toLocaleString('en-US'),
    ms(alone.median),
    ms(beside.median),
    ms(alone.p99),
    ms(beside.p99),
    ms(beside.slowest),
    ms(beside.ownDelayP99),
    `${beside.failed.length} of ${beside.requests}`,
    memory.before.toFixed(0),
    memory.most.toFixed(0),
    memory.after.toFixed(0),
    missesOf(outcome).join(', '),
  ];
};

/** As a table of Markdown; times in milliseconds, memory in megabytes. `own loop`: p99 of the other client's own delay. */
export const floodTable = (outcomes: readonly Outcome[]): string => {
  const rows = [
    header,
    header.map((_cell, i) => (i === 0 || i === header.length - 1 ? '---' : '--:')),
    ...outcomes.map(cellsOf),
  ];
  return markdownRows(rows);
};

/** One line at the terminal while the benchmark runs. */
export const progressOf = (outcome: Outcome): string => {
  const { section, name, alone, beside, memory, report } = outcome;
  const misses = missesOf(outcome);
  return [
    `${section}: ${name}`.padEnd(50),
    `median ${alone.median.toFixed(1)} -> ${beside.median.toFixed(1)}`.padEnd(24),
    `p99 ${alone.p99.toFixed(0)} -> ${beside.p99.toFixed(0)}`.padEnd(20),
    `slowest ${beside.slowest.toFixed(0)}`.padEnd(14),
    `own loop ${beside.ownDelayP99.toFixed(0)}`.padEnd(14),
    `failed ${beside.failed.length}/${beside.requests}, transfers ${beside.transfers}`.padEnd(30),
    `MB ${memory.before.toFixed(0)} ${memory.most.toFixed(0)} ${memory.after.toFixed(0)} (${memory.backAfter?.toFixed(0) ?? '-'} s)`.padEnd(
      26,
    ),
    statusText(report),
    misses.length === 0 ? '' : `  <-- ${misses.join(', ')}`,
  ].join(' ');
};
