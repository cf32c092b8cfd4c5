import { type Cluster } from './cluster.js';
import { type ClusterProcess } from './cluster-process.js';

/** A line of a service's log, as far as the scenarios read it. */
export interface LogLine {
  /** 30 is information, 40 a warning, 50 an error. */
  readonly level: number;
  readonly msg: string;
  readonly service?: string;
  readonly err?: { readonly message?: string; readonly code?: string };
  readonly [field: string]: unknown;
}

export const information = 30;
const warning = 40;

const parse = (line: string): LogLine | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(line) as LogLine;
    return typeof parsed.level === 'number' ? parsed : undefined;
  } catch {
    // The first line of what was kept may lack its beginning.
    return undefined;
  }
};

/** Lines of at least a level, of all starts of a process. */
export const logLines = (process: ClusterProcess, level = warning): LogLine[] =>
  process
    .log()
    .split('\n')
    .map(parse)
    .filter((line): line is LogLine => line !== undefined && line.level >= level);

/** What all services have logged from a level on, with how often; for people: `12 x group-node-0: message refused`. */
export const logSummary = (cluster: Cluster, level = warning): string => {
  const counts = new Map<string, number>();
  for (const process of cluster.processes) {
    for (const { level: own, msg, err } of logLines(process, level)) {
      const text = `${process.name} ${own}: ${msg}${err?.message === undefined ? '' : ` (${err.message})`}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts].map(([text, count]) => `${count} x ${text}`).join('\n');
};
