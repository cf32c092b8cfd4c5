import pg from 'pg';
import { type Statements, type TransactionOptions } from './database.js';
import { isConnectionLost } from './unavailable.js';

const int8 = 20;

/** Types of returned values: int8 as bigint, others as in node-postgres (numeric as text, bytea as Buffer). */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

/** The driver's timeout for one statement, which its type lacks. */
type LimitedQuery = pg.QueryConfig<unknown[]> & { query_timeout?: number };

/** Longest name in PostgreSQL. It cuts longer names, so two names could become one. */
const longestName = 63;

/** @throws RangeError for a name that PostgreSQL would cut */
const fullName = (schema: string, name: string): string => {
  const full = `${schema}.${name}`;
  if (full.length > longestName) throw new RangeError(`the name of a statement is longer than ${longestName}: ${full}`);
  return full;
};

/**
 * Runs a statement by name. Services share connections of the embedded database, and statement names are unique per
 * connection. So names include the schema.
 * @param patience milliseconds; default: that of the connection
 */
export const runNamed = async <Row extends object>(
  client: pg.ClientBase,
  schema: string,
  { name, text, values }: NamedStatement,
  patience?: number,
): Promise<readonly Row[]> => {
  const config: LimitedQuery = { name: fullName(schema, name), text, types: valueTypes };
  if (values) config.values = values as unknown[];
  if (patience !== undefined) config.query_timeout = patience;
  return (await client.query<Row & pg.QueryResultRow>(config)).rows;
};

const runPlain = async (client: pg.ClientBase, text: string, patience: number | undefined): Promise<pg.QueryResult> => {
  const config: LimitedQuery = { text };
  if (patience !== undefined) config.query_timeout = patience;
  return client.query(config);
};

/** ROLLBACK failed: the state of the connection is unknown. */
class RollbackFailed extends Error {
  constructor(cause: unknown) {
    super('connection terminated: a transaction could not be rolled back', { cause });
    this.name = 'RollbackFailed';
  }
}

const beginOf = (snapshotTimeoutMs: number | undefined): string =>
  snapshotTimeoutMs === undefined
    ? 'BEGIN'
    : `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(snapshotTimeoutMs)}`;

/** BEGIN, `run`, COMMIT; ROLLBACK if one of them throws. */
export const runTransaction = async <T>(
  client: pg.ClientBase,
  schema: string,
  run: (statements: Statements) => Promise<T>,
  { statementPatience: patience, snapshotTimeoutMs }: TransactionOptions = {},
): Promise<T> => {
  try {
    await runPlain(client, beginOf(snapshotTimeoutMs), patience);
    const result = await run({
      query: (name, text, values) => runNamed(client, schema, { name, text, values }, patience),
    });
    const { command } = await runPlain(client, 'COMMIT', patience);
    // After a failed statement the server answers COMMIT with a ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('a statement of the transaction had failed: it was rolled back');
    return result;
  } catch (error) {
    if (!isConnectionLost(error)) {
      await runPlain(client, 'ROLLBACK', patience).catch(() => {
        throw new RollbackFailed(error);
      });
    }
    throw error;
  }
};
