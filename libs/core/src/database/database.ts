import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Runs statements: a database as a whole, or one transaction of it. */
export interface Statements {
  /**
   * Runs a named statement, prepared once per connection. One name means one text, for ever. `text` names its schema.
   * Values: Buffer or Uint8Array for bytea and for arrays in binary form (`arrays.ts`), text, number, bigint, null.
   * Rows: int8 comes as bigint, numeric as text, bytea as Buffer.
   */
  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * One PostgreSQL schema, owned by one service. Two adapters: embedded, and PostgreSQL. Inside `transaction` use only the
 * statements handed in: the embedded adapter has one connection, so that anything else would wait for ever.
 */
export interface Database extends Statements {
  /** A plain identifier: lower-case letters, digits, underscores. */
  readonly schema: string;
  /** BEGIN, `run`, COMMIT. If `run` throws: ROLLBACK, and the error goes on. See `withKnownOutcome` for lost connections. */
  transaction<T>(run: (statements: Statements) => Promise<T>): Promise<T>;
  /** Runs a script of several statements without values: maintenance, never on a request's path. */
  script(text: string): Promise<void>;
  /** For a Prisma client of this schema; queries that are asked rarely (architecture, decision 11). */
  prismaAdapter(): SqlDriverAdapterFactory;
  /**
   * Brings the schema to the newest migration of the folder (`<folder>/<name>/migration.sql`, sorted by name). Quick
   * when there is nothing to do. Throws DatabaseError `NewerSchema`, `ChangedMigration` or `MigrationFailed`.
   */
  migrate(migrations: MigrationSource): Promise<void>;
}

export interface MigrationSource {
  /** The service's prisma/migrations folder. */
  readonly folder: string;
  /** The service's prisma/schema.prisma. */
  readonly schemaFile: string;
}

/** A database that holds a schema for each of several services. */
export interface DatabaseHost {
  /** The same object for the same name. */
  service(schema: string): Database;
  close(): Promise<void>;
}
