import { setTimeout as pause } from 'node:timers/promises';
import { type CommandInput, UsageError } from '../command.js';
import { givenPlaces, type ServicePlace } from '../network/service-places.js';
import { heldServices, type HeldService } from '../cluster/held-services.js';
import { openRunningNetwork } from '../network/running-network.js';
import { findLocalNetwork, type LocalNetwork, readLocalHealth } from '../network/local-network.js';
import { type OpenedNetwork } from '../network/opened-network.js';
import { tableLines } from '@shardnode/core/terminal';
import { numberText } from '../terminal/quantities.js';
import { parseWords } from '../words.js';
import { explorerLines, explorerReports } from './explorers.js';
import { localStatusLines } from './local-status.js';
import { type GroupReport, groupReports } from './reports.js';

const options = {
  watch: { type: 'boolean' },
  every: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Milliseconds by which a clock is ahead of ours, as text. */
const clockText = ({ report, measuredAt }: GroupReport): string => {
  if (!report) return '';
  const milliseconds = Math.round(Number(report.clock) - measuredAt);
  return `${milliseconds > 0 ? '+' : ''}${numberText(milliseconds)} ms`;
};

/** Blocks of any sibling that a group-node lacks, over all chains. */
const behindBy = (own: readonly number[], all: readonly (readonly number[])[]): number =>
  own.reduce((sum, height, chain) => sum + Math.max(0, ...all.map((heights) => heights[chain]! - height)), 0);

const columns = [
  { title: 'group', right: true },
  { title: 'ready' },
  { title: 'own heights' },
  { title: 'behind', right: true },
  { title: 'pending', right: true },
  { title: 'waiting', right: true },
  { title: 'clock', right: true },
  { title: 'answer', right: true },
];

/** Below the table: reasons of groups that are not ready, and services on hold. */
const reasonLines = (reports: readonly GroupReport[], held: readonly HeldService[]): string[] => {
  const isHeld = (service: string): boolean => held.some(({ name }) => name === service);
  const reasons = reports.flatMap(({ group, report, failure }) => {
    const reason = report?.reason ?? failure?.message;
    return reason === undefined || isHeld(`group-node-${group}`) ? [] : [`group ${group}: ${reason}`];
  });
  const all = [...reasons, ...held.map(({ name, release }) => `${name} is held. To start it: ${release}`)];
  return all.length === 0 ? [] : ['', ...all];
};

/**
 * A line for each group, with a heading; below it the reasons of groups that are not ready. `behind`: blocks that a
 * sibling has; `waiting`: blocks without their dependencies. @param held services on hold
 */
export const statusLines = (reports: readonly GroupReport[], held: readonly HeldService[] = []): string[] => {
  const heights = reports.flatMap(({ report }) => (report ? [report.heights] : []));
  const rows = reports.map((one) => {
    const { group, report, took } = one;
    if (!report) return [String(group), 'no'];
    const own = report.heights.slice(group * reports.length, (group + 1) * reports.length);
    return [
      String(group),
      report.synced ? 'yes' : 'no',
      own.map(numberText).join(' '),
      numberText(behindBy(report.heights, heights)),
      numberText(report.mempoolSize),
      numberText(report.buffered),
      clockText(one),
      `${Math.round(took)} ms`,
    ];
  });
  return [...tableLines(columns, rows), ...reasonLines(reports, held)];
};

const summaryOf = (network: OpenedNetwork, reports: readonly GroupReport[]): string => {
  const ready = reports.filter(({ report }) => report?.synced).length;
  const heights = reports.flatMap(({ report }) => (report ? [report.heights] : []));
  const [first = []] = heights;
  const blocks = first.reduce((sum, _, chain) => sum + Math.max(...heights.map((list) => list[chain]!)), 0);
  return `${network.name}, id ${network.settings.networkId}: ${ready} of ${reports.length} groups ready, ${numberText(blocks)} blocks`;
};

const forMachines = (reports: readonly GroupReport[]): object[] =>
  reports.map(({ group, report, failure }) => (report ? { ...report } : { group, failure: failure?.message }));

interface Drawing {
  readonly places: readonly ServicePlace[];
  readonly cluster: string | undefined;
  readonly json: boolean;
  readonly clear: boolean;
}

const print = (text: string, clear: boolean): void =>
  void process.stdout.write(`${clear ? '\u001b[H\u001b[2J' : ''}${text}\n`);

const draw = async (network: OpenedNetwork, { places, cluster, json, clear }: Drawing): Promise<boolean> => {
  const [reports, held, explorers] = await Promise.all([
    groupReports(network.client),
    heldServices(cluster),
    explorerReports(places),
  ]);
  const text = json
    ? JSON.stringify({
        groups: forMachines(reports),
        explorers,
        ...(cluster !== undefined && { held: held.map(({ name }) => name) }),
      })
    : [summaryOf(network, reports), '', ...statusLines(reports, held), ...explorerLines(explorers)].join('\n');
  print(text, clear);
  return reports.every(({ report }) => report?.synced);
};

/** The same for the network of `npm start`. */
const drawLocal = async (local: LocalNetwork, json: boolean, clear: boolean): Promise<boolean> => {
  const [health, reports] = await Promise.all([readLocalHealth(local), explorerReports([local.explorer])]);
  const explorers = reports.filter(({ sync }) => sync !== undefined);
  const { pid, folder, url } = local;
  const text = json
    ? JSON.stringify({ process: pid, folder, url, health, explorers })
    : [...localStatusLines(local, health), ...explorerLines(explorers)].join('\n');
  print(text, clear);
  return health?.groups.every(({ ready }) => ready) ?? false;
};

const readSeconds = (text: string | undefined): number => {
  const seconds = Number(text ?? 2);
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw new UsageError('--every must be a number of seconds from 0.1 to 3600.');
  return seconds;
};

/** `status`: 0 when all groups are ready. */
export const runStatus = async ({ words, environment, cluster }: CommandInput): Promise<number> => {
  const { watch = false, every, json = false } = parseWords(words, options);
  const seconds = readSeconds(every);
  const clear = watch && !json && process.stdout.isTTY;
  const repeat = async (once: () => Promise<boolean>): Promise<number> => {
    for (;;) {
      const isReady = await once();
      if (!watch) return isReady ? 0 : 1;
      await pause(seconds * 1000);
    }
  };
  const local = findLocalNetwork({ environment, cluster });
  if (local) return repeat(() => drawLocal(local, json, clear));
  const places = givenPlaces(environment) ?? [];
  const network = await openRunningNetwork(environment);
  try {
    return await repeat(() => draw(network, { places, cluster, json, clear }));
  } finally {
    await network.close();
  }
};
