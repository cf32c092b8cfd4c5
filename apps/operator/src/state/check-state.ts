import { hostname } from 'node:os';
import { openStateCheck, type StateCheck } from '@shardnode/group-node';
import { type Database } from '@shardnode/core/database';
import { type CommandInput } from '../command.js';
import { namedDatabase, networkOf, requireApart } from '../databases/chosen-database.js';
import { groupDatabase, openServiceDatabase, type ServiceDatabase } from '../databases/service-databases.js';
import { openProgress } from '../terminal/progress.js';
import { numberText } from '../terminal/quantities.js';
import { parseWords } from '../words.js';
import { memoryDifferences } from './memory-differences.js';

const options = { group: { type: 'string' }, rebuild: { type: 'boolean' }, json: { type: 'boolean' } } as const;

interface GroupResult extends StateCheck {
  readonly group: number;
  /** What a group-node that runs holds in memory and the database does not; undefined when none could be asked. */
  readonly memory: readonly string[] | undefined;
  readonly rebuilt: boolean;
}

const countHeaders = async (database: Database): Promise<number> => {
  const [row] = await database.query<{ count: bigint }>(
    'operator-headers',
    `SELECT count(*) AS count FROM ${database.schema}.block_header`,
  );
  return Number(row?.count ?? 0);
};

const checkOne = async (
  { service, schema, group = 0 }: ServiceDatabase,
  database: Database,
  groups: number,
  rebuild: boolean,
): Promise<StateCheck & { readonly rebuilt: boolean }> => {
  const { checkState, rebuildState } = await openStateCheck();
  const total = await countHeaders(database);
  const progress = openProgress({ title: `Checking ${schema}`, unit: 'headers' });
  const check = (): Promise<StateCheck> =>
    checkState({ database, group, groups, progress: (headers) => progress.at(headers, total) });
  try {
    const found = await check();
    const isWrong = found.problems.some(({ part }) => part === 'projection');
    if (!rebuild || !isWrong) return { ...found, rebuilt: false };
    const holder = `operator check-state of ${service}, process ${process.pid} on ${hostname()}`;
    await rebuildState({ database, group, groups }, holder);
    return { ...(await check()), rebuilt: true };
  } finally {
    progress.end();
  }
};

const nextOf = ({ problems, memory }: GroupResult): string[] => [
  ...(problems.some(({ part }) => part === 'projection')
    ? ['  -> stop the group-node and run check-state --rebuild: it makes the outputs anew from the state trie']
    : []),
  ...(problems.some(({ part }) => part === 'blocks')
    ? [
        '  -> blocks are damaged: restore a backup of this group, or wipe it: its siblings have copies of its blocks (docs/operations.md)',
      ]
    : []),
  ...((memory ?? []).length > 0 ? ['  -> restart the group-node: it makes its memory anew from the database'] : []),
];

const linesOf = (result: GroupResult): string[] => {
  const { group, headers, outputs, problems, memory, rebuilt } = result;
  const size = `${numberText(headers)} headers, ${numberText(outputs)} unspent outputs`;
  const all = [...problems.map(({ text }) => text), ...(memory ?? []).map((text) => `memory: ${text}`)];
  const compared = memory === undefined ? 'its group-node was not asked' : 'its group-node holds the same';
  const again = rebuilt ? 'the outputs were made anew; ' : '';
  if (all.length === 0) return [`group ${group}  ok      ${again}${size}; ${compared}`];
  return [`group ${group}  WRONG   ${again}${size}`, ...all.map((text) => `  ${text}`), ...nextOf(result)];
};

/** `check-state`: 0 when everything fits. */
export const runCheckState = async ({ words: given, environment }: CommandInput): Promise<number> => {
  const words = parseWords(given, options);
  const { groups } = networkOf(environment);
  const named = namedDatabase(words, groups);
  if (!named) requireApart(environment);
  const wanted = named ? [named] : Array.from({ length: groups }, (_, group) => groupDatabase(group));
  const results: GroupResult[] = [];
  for (const one of wanted) {
    const host = openServiceDatabase(one, environment);
    try {
      await host.check();
      const database = host.service(one.schema);
      const group = one.group ?? 0;
      const memory = await memoryDifferences(environment, database, group);
      results.push({ group, memory, ...(await checkOne(one, database, groups, words.rebuild ?? false)) });
    } finally {
      await host.close();
    }
  }
  process.stdout.write(
    words.json ? `${JSON.stringify({ groups: results })}\n` : `${results.flatMap(linesOf).join('\n')}\n`,
  );
  return results.every(({ problems, memory = [] }) => problems.length + memory.length === 0) ? 0 : 1;
};
