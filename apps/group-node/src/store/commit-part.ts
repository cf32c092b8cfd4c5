import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type SchemaStatements, type Statements } from '@shardnode/core/database';

/** The writing functions of the schema (prisma/migrations), by letters that name them: no two have the same. */
const functionsByLetter = {
  b: 'write_bodies',
  c: 'write_changes',
  d: 'write_dropped',
  e: 'write_head',
  g: 'write_event_pages',
  h: 'write_headers',
  i: 'write_immutables',
  l: 'write_locations',
  n: 'write_nodes',
  p: 'add_pending',
  q: 'remove_pending',
  r: 'write_ranks',
  s: 'write_states',
  t: 'write_tips',
  u: 'change_utxos',
  v: 'write_events',
} as const;

type WritingFunction = (typeof functionsByLetter)[keyof typeof functionsByLetter];

/** Short, for the names of statements: a connection knows a name for one text only. */
const letters = new Map<WritingFunction, string>(
  Object.entries(functionsByLetter).map(([letter, writes]) => [writes, letter]),
);

/** A call of a writing function: some rows of one table family. */
export interface CommitPart {
  readonly writes: WritingFunction;
  readonly values: readonly unknown[];
  readonly rows: number;
}

/** Rows for one part, and the number of small rows that they count for. */
export interface Slice<T> {
  readonly rows: readonly T[];
  readonly weight: number;
}

/** A statement holds the event loop while it runs (architecture, decision 5). */
const maxRows = 500;

/** Splits rows so that no part exceeds the limit. */
export const inSlices = <T>(rows: readonly T[], size = maxRows): readonly (readonly T[])[] => {
  if (rows.length === 0) return [];
  if (rows.length <= size) return [rows];
  const slices: (readonly T[])[] = [];
  for (let start = 0; start < rows.length; start += size) slices.push(rows.slice(start, start + size));
  return slices;
};

/** Bytes of a value that take about as long to write as a row of a small table. */
const bytesPerRow = 4096;

/** Number of small rows that a row of so many bytes counts for. */
export const rowsOfBytes = (bytes: number): number => 1 + Math.floor(bytes / bytesPerRow);

/** Splits rows of very different sizes so that no part exceeds the limit; a row above the limit is alone. */
export const inSlicesBySize = <T>(rows: readonly T[], bytesOf: (row: T) => number): readonly Slice<T>[] => {
  const slices: { rows: T[]; weight: number }[] = [];
  for (const row of rows) {
    const weight = rowsOfBytes(bytesOf(row));
    const last = slices.at(-1);
    if (!last || last.weight + weight > maxRows) slices.push({ rows: [row], weight });
    else {
      last.rows.push(row);
      last.weight += weight;
    }
  }
  return slices;
};

/** Groups neighbours that fit into one statement. */
const inStatements = (parts: readonly CommitPart[]): readonly (readonly CommitPart[])[] => {
  const statements: CommitPart[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    if (rows + part.rows > maxRows) {
      statements.push([]);
      rows = 0;
    }
    statements.at(-1)!.push(part);
    rows += part.rows;
  }
  return statements;
};

const runStatement = async (statements: Statements, schema: string, parts: readonly CommitPart[]): Promise<void> => {
  let parameter = 0;
  const calls = parts.map((part) => `${schema}.${part.writes}(${part.values.map(() => `$${++parameter}`).join(', ')})`);
  const name = `write-${parts.map(({ writes }) => letters.get(writes)).join('')}`;
  await statements.query(
    name,
    `SELECT ${calls.join(', ')}`,
    parts.flatMap((part) => part.values),
  );
};

/** Writes all parts, in order, inside a transaction; yields to the event loop after each statement. */
export const writePartsIn = async (
  transaction: Statements,
  schema: string,
  parts: readonly CommitPart[],
): Promise<void> => {
  for (const statement of inStatements(parts)) {
    await runStatement(transaction, schema, statement);
    await yieldToEventLoop();
  }
};

/**
 * Writes all parts, in order, or none. Parts that fit into one statement take one round trip; more become a transaction.
 */
export const writeParts = async (database: SchemaStatements, parts: readonly CommitPart[]): Promise<void> => {
  const statements = inStatements(parts);
  if (statements.length === 0) return;
  if (statements.length === 1) return runStatement(database, database.schema, statements[0]!);
  await database.transaction((transaction) => writePartsIn(transaction, database.schema, parts));
};
