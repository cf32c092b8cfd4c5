import { numberColumns, tableLines } from '@shardnode/core/terminal';
import { median } from '@shardnode/testing/statistics';
import { type CheckResult } from './checks.js';
import { leastLengthMs, leastSamples, type MemoryVerdict, mostGrowth, settlesAfterMs } from './memory.js';

/** A fault that is over. */
export interface FaultRecord {
  /** Of the kind, or of both. */
  readonly kinds: readonly string[];
  readonly what: string;
  /** Milliseconds since the run began. */
  readonly at: number;
  /** Milliseconds from the harm until it was taken back. */
  readonly lastedMs: number;
  /**
   * Milliseconds from then, which is when a process or server starts again, until all processes were ready and each group took
   * transfers. Undefined: that did not come before the run was over.
   */
  readonly recoveredMs: number | undefined;
}

/** Of a length of milliseconds: 1:02:03. */
export const clockText = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

export const secondsText = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Count, median and longest recovery of each kind; a pair counts for both of its kinds. */
export const faultTable = (faults: readonly FaultRecord[]): string => {
  const kinds = [...new Set(faults.flatMap((fault) => fault.kinds))].sort();
  const rows = kinds.map((kind) => {
    const of = faults.filter((fault) => fault.kinds.includes(kind));
    const times = of.flatMap(({ recoveredMs }) => recoveredMs ?? []);
    const texts = times.length === 0 ? ['-', '-'] : [median(times), Math.max(...times)].map(secondsText);
    return [kind, String(of.length), ...texts];
  });
  return tableLines([{ title: 'fault' }, ...numberColumns('count', 'median recovery', 'longest')], rows).join('\n');
};

const megabytes = (value: number | undefined): string => value?.toFixed(0) ?? '-';
const percent = (share: number | undefined): string =>
  share === undefined ? '-' : `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)} %`;

export const memoryTable = (verdicts: readonly MemoryVerdict[]): string => {
  const rows = verdicts.map(({ process, second, last, change, verdict }) => [
    process,
    megabytes(second),
    megabytes(last),
    percent(change),
    verdict,
  ]);
  const columns = [
    { title: 'kept in memory, MB' },
    ...numberColumns('second quarter', 'last quarter', 'change'),
    { title: '' },
  ];
  return tableLines(columns, rows).join('\n');
};

/** For one of the checks: fails when a process has grown. */
export const memoryCheck = (verdicts: readonly MemoryVerdict[]): string => {
  const named = (wanted: MemoryVerdict['verdict']): readonly string[] =>
    verdicts.filter(({ verdict }) => verdict === wanted).map(({ process }) => process);
  const [grown, unjudged] = [named('grown'), named('not judged')];
  if (grown.length > 0) throw new Error(`grown by more than ${100 * mostGrowth} %: ${grown.join(', ')}`);
  const flat = `${named('flat').length} processes flat`;
  if (unjudged.length === 0) return flat;
  const few = `fewer than ${leastSamples} samples in a quarter, ${settlesAfterMs / 60_000} minutes after a start and later`;
  const rule = `a run of less than ${leastLengthMs / 3_600_000} hour, or ${few}`;
  return `${flat}; not judged (${rule}): ${unjudged.join(', ')}`;
};

export const checkTable = (results: readonly CheckResult[]): string => {
  const rows = results.map(({ name, isOk, detail }) => [name, isOk ? 'ok' : 'FAILED', detail]);
  return tableLines([{ title: 'check' }, { title: '' }, { title: 'found' }], rows).join('\n');
};
