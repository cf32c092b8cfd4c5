import { PrismaPg } from '@prisma/adapter-pg';
import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { type Database, type MigrationSource, type Statements } from './database.js';
import { isConnectionLost } from './known-outcome.js';
import { migrateSchema } from './migrations/migrate-schema.js';

const int8 = 20;

/** How values come back: int8 as bigint, the rest as node-postgres does (numeric as text, bytea as Buffer). */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

const schemaName = /^[a-z][a-z0-9_]{0,30}$/;

/** Services share connections, and a connection knows a name once: so names carry the schema. */
const runOn = async <Row extends object>(
  client: pg.PoolClient,
  schema: string,
  name: string,
  text: string,
  values: readonly unknown[] | undefined,
): Promise<readonly Row[]> => {
  const config: pg.QueryConfig<unknown[]> = { name: `${schema}.${name}`, text, types: valueTypes };
  if (values) config.values = values as unknown[];
  return (await client.query<Row & pg.QueryResultRow>(config)).rows;
};

/** The pool throws a connection away with all its plans when it is given an error: only a lost one deserves that. */
const deathOf = (error: unknown): Error | undefined =>
  error instanceof Error && isConnectionLost(error) ? error : undefined;

/** One schema of a server or of an embedded cluster, over a pool of connections. Both adapters are this. */
export class PoolDatabase implements Database {
  constructor(
    private readonly pool: pg.Pool,
    readonly schema: string,
  ) {
    if (!schemaName.test(schema)) throw new RangeError(`not a plain schema name: ${schema}`);
  }

  async query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const client = await this.pool.connect();
    let death: Error | undefined;
    try {
      return await runOn<Row>(client, this.schema, name, text, values);
    } catch (error) {
      death = deathOf(error);
      throw error;
    } finally {
      client.release(death);
    }
  }

  async transaction<T>(run: (statements: Statements) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let death: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await run({ query: (name, text, values) => runOn(client, this.schema, name, text, values) });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      death = deathOf(error);
      if (!death) await client.query('ROLLBACK').catch((rollbackError: Error) => (death = rollbackError));
      throw error;
    } finally {
      client.release(death);
    }
  }

  async script(text: string): Promise<void> {
    await this.pool.query(text);
  }

  prismaAdapter(): SqlDriverAdapterFactory {
    return new PrismaPg(this.pool, { schema: this.schema });
  }

  migrate(migrations: MigrationSource): Promise<void> {
    return migrateSchema(this.pool, this.schema, migrations);
  }
}
