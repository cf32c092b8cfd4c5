import { parseArgs } from 'node:util';

/** Which node replays the history. */
export type TargetName = 'memory' | 'embedded' | 'cluster';

export interface ReplayOptions {
  readonly folder: string;
  readonly target: TargetName;
  /** Random orders of import to try after the recorded one. */
  readonly permutations: number;
  /** Seed of the first permutation; the next ones count up. */
  readonly seed: number;
  /** Every block is imported twice. */
  readonly twice: boolean;
}

export const usage = `npm run replay -- DIR [options]

Imports the history in DIR (genesis.json, blocks.jsonl.gz, final-state.json) and compares every recorded value after
each block, with gas, flags and events of scripts where they are recorded, the final state with its contracts, and the
verdicts of rejected-blocks.json, rejected-transactions.json and check-order.json in DIR, or beside it when they name
it: each block and transaction is judged, then handed in as from outside. Exit code 1 on any difference.

  --permutations N   then import N times in a random order, each on a fresh node; the final state must be the same
  --seed S           seed of the first permutation (default 1)
  --twice            import every block twice
  --embedded         on four group-nodes over the embedded database instead of a node in memory
  --cluster          on four group-node processes over PostgreSQL and NATS (needs npm run build): over servers of its
                     own, or those of DATABASE_URL (a role that may make databases) and NATS_URL where both are set
  --help             this text`;

export const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

const numberOf = (text: string | undefined, name: string, otherwise: number): number => {
  if (text === undefined) return otherwise;
  if (!/^[0-9]{1,9}$/.test(text)) throw new RangeError(`--${name} expects a whole number, got ${text}`);
  return Number(text);
};

const targetOf = (chosen: { readonly embedded: boolean; readonly cluster: boolean }): TargetName => {
  if (chosen.embedded && chosen.cluster) throw new RangeError('--embedded and --cluster exclude each other');
  return chosen.cluster ? 'cluster' : chosen.embedded ? 'embedded' : 'memory';
};

/** Options from the command line. Throws an Error whose message names the mistake. */
export const parseOptions = (args: readonly string[]): ReplayOptions => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      permutations: { type: 'string' },
      seed: { type: 'string' },
      twice: { type: 'boolean', default: false },
      embedded: { type: 'boolean', default: false },
      cluster: { type: 'boolean', default: false },
    },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new RangeError('expected one folder with a history');
  return {
    folder,
    target: targetOf(values),
    permutations: numberOf(values.permutations, 'permutations', 0),
    seed: numberOf(values.seed, 'seed', 1),
    twice: values.twice,
  };
};
