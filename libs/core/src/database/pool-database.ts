import { PrismaPg } from '@prisma/adapter-pg';
import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { type Database, type MigrationSource, type Statements } from './database.js';
import { migrateSchema } from './migrations/migrate-schema.js';

const int8 = 20;

/** How values come back: int8 as bigint, the rest as node-postgres does (numeric as text, bytea as Buffer). */
const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? BigInt : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

const schemaName = /^[a-z][a-z0-9_]{0,30}$/;

/** Services share connections, and a connection knows a name once: so names carry the schema. */
const statementsOver = (client: pg.Pool | pg.PoolClient, schema: string): Statements => ({
  query: async <Row extends object>(name: string, text: string, values?: readonly unknown[]) => {
    const config: pg.QueryConfig<unknown[]> = { name: `${schema}.${name}`, text, types: valueTypes };
    if (values) config.values = values as unknown[];
    return (await client.query<Row & pg.QueryResultRow>(config)).rows;
  },
});

/** One schema of a server or of an embedded cluster, over a pool of connections. Both adapters are this. */
export class PoolDatabase implements Database {
  private readonly statements: Statements;

  constructor(
    private readonly pool: pg.Pool,
    readonly schema: string,
  ) {
    if (!schemaName.test(schema)) throw new RangeError(`not a plain schema name: ${schema}`);
    this.statements = statementsOver(pool, schema);
  }

  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.statements.query<Row>(name, text, values);
  }

  async transaction<T>(run: (statements: Statements) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await run(statementsOver(client, this.schema));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      try {
        await client.query('ROLLBACK');
      } catch (rollbackError) {
        broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
      }
      throw error;
    } finally {
      client.release(broken);
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
