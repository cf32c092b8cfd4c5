import { type Database, type Statements } from '@shardnode/core/database';
import { type Statement } from '../support/observed-statements.js';

/** A node of a plan of PostgreSQL. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

type PlanRow = Readonly<Record<'QUERY PLAN', readonly [{ readonly Plan: PlanNode }]>>;

function* nodesOf(node: PlanNode): Iterable<PlanNode> {
  yield node;
  for (const inner of node.Plans ?? []) yield* nodesOf(inner);
}

/** Tables that a plan reads from end to end. */
const scannedTables = ([row]: readonly PlanRow[]): string[] =>
  [...nodesOf(row!['QUERY PLAN'][0].Plan)]
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']!);

/** The plan for the values, and the one for any values, which the server takes after some executions. */
const plansOf = async ({ query }: Statements, { name, text, values }: Statement, number: number): Promise<string[]> => {
  const unique = `plan_${number}`;
  const forValues = await query<PlanRow>(`${unique}-for-values`, `EXPLAIN (FORMAT JSON) ${text}`, values);
  await query(`${unique}-prepare`, `PREPARE ${unique} AS ${text}`);
  const nulls = values.length === 0 ? '' : `(${values.map(() => 'NULL').join(', ')})`;
  await query('any-values', 'SET LOCAL plan_cache_mode = force_generic_plan');
  const forAny = await query<PlanRow>(`${unique}-for-any`, `EXPLAIN (FORMAT JSON) EXECUTE ${unique}${nulls}`);
  return [
    ...scannedTables(forValues).map((table) => `${name}: scans ${table}`),
    ...scannedTables(forAny).map((table) => `${name}: scans ${table}, for any values`),
  ];
};

/** Statements whose plans read a large table from end to end. */
export const fullScans = async (
  database: Database,
  statements: readonly Statement[],
  isLarge: (table: string) => boolean,
): Promise<string[]> => {
  const found = new Set<string>();
  for (const [number, statement] of statements.entries()) {
    const scans = await database.transaction((transaction) => plansOf(transaction, statement, number));
    for (const scan of scans) if (isLarge(/scans (\w+)/.exec(scan)![1]!)) found.add(scan);
  }
  return [...found].sort();
};
