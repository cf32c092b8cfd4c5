import { hostname } from 'node:os';
import { openGroupClient, openStateCheck, openSweep, type StateCheck, type SweepResult } from '@shardnode/group-node';
import { type Database } from '@shardnode/core/database';
import { type GroupClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type CommandInput } from '../command.js';
import { namedDatabase, networkOf, requireApart } from '../databases/chosen-database.js';
import { groupDatabase, openServiceDatabase, type ServiceDatabase } from '../databases/service-databases.js';
import { findRunningNetwork } from '../network/running-network.js';
import { openProgress } from '../terminal/progress.js';
import { numberText } from '../terminal/quantities.js';
import { terminalColumns, wrapped } from '../terminal/wrap.js';
import { parseWords } from '../words.js';
import { memoryDifferences } from './memory-differences.js';

const options = {
  group: { type: 'string' },
  rebuild: { type: 'boolean' },
  sweep: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

interface GroupResult extends StateCheck {
  readonly group: number;
  /** Blocks that a running group-node has in memory and the database lacks; undefined when none could be queried. */
  readonly memory: readonly string[] | undefined;
  readonly rebuilt: boolean;
  /** Undefined: not requested, or not done because of a problem. */
  readonly swept?: SweepResult | undefined;
}

interface Wanted {
  readonly settings: NetworkSettings;
  /** Client of the running services; undefined when no bus is reachable: a database may be checked alone. */
  readonly client: GroupClient | undefined;
  readonly rebuild: boolean;
  readonly sweep: boolean;
}

const holderOf = ({ service }: ServiceDatabase): string =>
  `operator check-state of ${service}, process ${process.pid} on ${hostname()}`;

/** @throws DatabaseError `WriterExists`, which names the running group-node */
const sweepOne = async (one: ServiceDatabase, database: Database, settings: NetworkSettings): Promise<SweepResult> => {
  const { sweepOrphans } = await openSweep();
  const writer = await database.openWriter({ holder: holderOf(one), onLost: () => undefined });
  const progress = openProgress({ title: `Sweeping ${one.schema}`, unit: 'nodes' });
  try {
    const told = (phase: 'mark' | 'sweep', nodes: number): void => {
      if (phase === 'sweep') progress.at(nodes, nodes);
    };
    return await sweepOrphans({ database, writer, group: one.group ?? 0, settings, onProgress: told });
  } finally {
    progress.end();
    await writer.close();
  }
};

const countHeaders = async (database: Database): Promise<number> =>
  (await openGroupClient(database)).blockHeader.count();

const checkOne = async (
  one: ServiceDatabase,
  database: Database,
  { settings: { groups }, rebuild }: Pick<Wanted, 'settings' | 'rebuild'>,
): Promise<StateCheck & { readonly rebuilt: boolean }> => {
  const { schema, group = 0 } = one;
  const { checkState, rebuildState } = await openStateCheck();
  const total = await countHeaders(database);
  const progress = openProgress({ title: `Checking ${schema}`, unit: 'headers' });
  const check = (): Promise<StateCheck> =>
    checkState({ database, group, groups, progress: (headers) => progress.at(headers, total) });
  try {
    const found = await check();
    const isWrong = found.problems.some(({ part }) => part === 'projection');
    if (!rebuild || !isWrong) return { ...found, rebuilt: false };
    await rebuildState({ database, group, groups }, holderOf(one));
    return { ...(await check()), rebuilt: true };
  } finally {
    progress.end();
  }
};

/** An arrow and the next step, within the columns of a terminal. */
const arrowLines = (text: string): string[] =>
  wrapped(text, terminalColumns - 5).map((line, i) => `${i === 0 ? '  -> ' : '     '}${line}`);

const nextOf = ({ problems, memory = [] }: GroupResult): string[] => {
  const has = (part: StateCheck['problems'][number]['part']): boolean => problems.some((one) => one.part === part);
  const steps = [
    has('projection') &&
      'stop the group-node and run check-state --rebuild: it rebuilds the outputs from the state trie',
    has('blocks') &&
      'blocks are damaged: restore a backup of this group, or wipe it: its siblings have copies of its blocks (docs/operations.md)',
    memory.length > 0 && 'restart the group-node: it rebuilds its memory from the database',
  ];
  return steps.filter((step) => step !== false).flatMap(arrowLines);
};

const linesOf = (result: GroupResult): string[] => {
  const { group, headers, outputs, problems, memory, rebuilt, swept } = result;
  const size = `${numberText(headers)} headers, ${numberText(outputs)} unspent outputs`;
  const all = [...problems.map(({ text }) => text), ...(memory ?? []).map((text) => `memory: ${text}`)];
  const compared = memory === undefined ? 'its group-node was not queried' : 'its group-node holds the same';
  const again = rebuilt ? 'the outputs were rebuilt; ' : '';
  const cleaned = swept
    ? [`  ${numberText(swept.deleted)} trie nodes that no state needs are gone, ${numberText(swept.kept)} stay`]
    : [];
  if (all.length === 0) return [`group ${group}  ok      ${again}${size}; ${compared}`, ...cleaned];
  return [`group ${group}  WRONG   ${again}${size}`, ...all.map((text) => `  ${text}`), ...nextOf(result)];
};

/** A state with problems is not swept: its nodes may be needed for a repair. */
const checkAndSweep = async (
  one: ServiceDatabase,
  environment: CommandInput['environment'],
  wanted: Wanted,
): Promise<GroupResult> => {
  const host = openServiceDatabase(one, environment);
  try {
    await host.check();
    const database = host.service(one.schema);
    const group = one.group ?? 0;
    const memory = wanted.client && (await memoryDifferences(wanted.client, database, group));
    const found = { group, memory, ...(await checkOne(one, database, wanted)) };
    if (!wanted.sweep || found.problems.length > 0) return found;
    const swept = await sweepOne(one, database, wanted.settings);
    return { ...found, ...(await checkOne(one, database, wanted)), rebuilt: found.rebuilt, swept };
  } finally {
    await host.close();
  }
};

/** `check-state`: 0 without a problem. */
export const runCheckState = async ({ words: given, environment }: CommandInput): Promise<number> => {
  const words = parseWords(given, options);
  const settings = networkOf(environment);
  const named = namedDatabase(words, settings.groups);
  if (!named) requireApart(environment);
  const databases = named ? [named] : Array.from({ length: settings.groups }, (_, group) => groupDatabase(group));
  const running = await findRunningNetwork(environment);
  const wanted = { settings, client: running?.client, rebuild: words.rebuild ?? false, sweep: words.sweep ?? false };
  const results: GroupResult[] = [];
  try {
    for (const one of databases) results.push(await checkAndSweep(one, environment, wanted));
  } finally {
    await running?.close();
  }
  process.stdout.write(
    words.json ? `${JSON.stringify({ groups: results })}\n` : `${results.flatMap(linesOf).join('\n')}\n`,
  );
  return results.every(({ problems, memory = [] }) => problems.length + memory.length === 0) ? 0 : 1;
};
