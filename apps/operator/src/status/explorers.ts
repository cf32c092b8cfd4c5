import { httpUrl } from '@shardnode/core/hosts';
import { tableLines } from '@shardnode/core/terminal';
import { z } from 'zod';
import { type ServicePlace } from '../network/service-places.js';
import { durationText, numberText } from '../terminal/quantities.js';

/** Milliseconds until an explorer must have answered. */
const patience = 2_000;

const count = z.number().int();

/** Of `GET /infos/sync` (protocol 08 §5.9). */
const syncAnswer = z.object({
  phase: z.string(),
  /** Age of the newest block, milliseconds. */
  lagMs: count,
  chains: z.array(
    z.object({
      chainFrom: count,
      chainTo: count,
      /** -1 of an empty chain. */
      height: count,
      /** At the group-node. */
      nodeHeight: count.nullable(),
      state: z.string(),
    }),
  ),
});

/** How far an explorer is, or the reason why it does not say. */
export interface ExplorerReport {
  readonly name: string;
  readonly sync?: z.output<typeof syncAnswer>;
  readonly failure?: string;
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error & { readonly cause?: Error };
  return cause?.message ?? message;
};

const reportOf = async ({ name, host, port }: ServicePlace): Promise<ExplorerReport> => {
  try {
    const answer = await fetch(`${httpUrl(host, port)}/infos/sync`, { signal: AbortSignal.timeout(patience) });
    const sync = syncAnswer.safeParse(answer.ok ? await answer.json() : undefined);
    return sync.success
      ? { name, sync: sync.data }
      : { name, failure: `GET /infos/sync: ${answer.status}, which is not what an explorer answers` };
  } catch (error) {
    return { name, failure: reasonOf(error) };
  }
};

/** Asks the explorers among the services at once; never rejects for one that does not answer. */
export const explorerReports = (places: readonly ServicePlace[]): Promise<ExplorerReport[]> =>
  Promise.all(places.filter(({ name }) => name.startsWith('explorer')).map(reportOf));

const columns = [
  { title: 'explorer' },
  { title: 'phase' },
  { title: 'blocks', right: true },
  { title: 'behind', right: true },
  { title: 'newest block' },
];

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const rowOf = ({ name, sync }: ExplorerReport): string[] => {
  if (!sync) return [name, 'no answer'];
  const { phase, lagMs, chains } = sync;
  return [
    name,
    phase,
    numberText(sumOf(chains.map(({ height }) => height + 1))),
    numberText(sumOf(chains.map(({ height, nodeHeight }) => Math.max(0, (nodeHeight ?? height) - height)))),
    `${durationText(lagMs)} ago`,
  ];
};

const problemsOf = ({ name, sync, failure }: ExplorerReport): string[] => {
  if (!sync) return [`${name}: ${failure}`];
  const stopped = sync.chains.filter(({ state }) => state !== 'following');
  return stopped.map(({ chainFrom, chainTo, state }) => `${name}: chain ${chainFrom} -> ${chainTo} ${state}`);
};

/**
 * A line for each explorer, with a heading; below it chains that it does not follow. `behind`: blocks that the
 * group-nodes have and its index has not. Nothing without explorers.
 */
export const explorerLines = (reports: readonly ExplorerReport[]): string[] => {
  if (reports.length === 0) return [];
  const problems = reports.flatMap(problemsOf);
  return ['', ...tableLines(columns, reports.map(rowOf)), ...(problems.length === 0 ? [] : ['', ...problems])];
};
