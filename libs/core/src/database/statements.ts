import pg from 'pg';
import { type Statements } from './database.js';
import { isConnectionLost } from './unavailable.js';

const int8 = 20;

/** How values come back: int8 as bigint, the rest as node-postgres does (numeric as text, bytea as Buffer). */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

/** The driver's limit for one statement, which its type does not name. */
type LimitedQuery = pg.QueryConfig<unknown[]> & { query_timeout?: number };

/** Letters of a name that PostgreSQL keeps: what follows is cut off, so that two names may be one. */
const longestName = 63;

/** @throws RangeError for a name that is too long to be told apart */
const fullName = (schema: string, name: string): string => {
  const full = `${schema}.${name}`;
  if (full.length > longestName) throw new RangeError(`the name of a statement is longer than ${longestName}: ${full}`);
  return full;
};

/**
 * Runs a statement by name. Services share connections of the embedded database, and a connection knows a name once: so
 * names carry the schema. @param patience milliseconds; default: as the connection was opened
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

/** ROLLBACK did not work: what state the connection is in is not known. */
class RollbackFailed extends Error {
  constructor(cause: unknown) {
    super('connection terminated: a transaction could not be rolled back', { cause });
    this.name = 'RollbackFailed';
  }
}

/** BEGIN, `run`, COMMIT; ROLLBACK if one of them throws. @param patience milliseconds for each statement */
export const runTransaction = async <T>(
  client: pg.ClientBase,
  schema: string,
  run: (statements: Statements) => Promise<T>,
  patience?: number,
): Promise<T> => {
  try {
    await runPlain(client, 'BEGIN', patience);
    const result = await run({
      query: (name, text, values) => runNamed(client, schema, { name, text, values }, patience),
    });
    const { command } = await runPlain(client, 'COMMIT', patience);
    // Where a statement has failed, the server answers COMMIT with a ROLLBACK and no error.
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
