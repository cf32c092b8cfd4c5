import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { type DatabaseObserver, type DatabaseUsage } from './database-observer.js';

/** Runs statements: a database as a whole, or one transaction of it. */
export interface Statements {
  /**
   * Runs a named statement, prepared once per connection. One name means one text, for ever. `text` names its schema.
   * Values: Buffer or Uint8Array for bytea and for arrays in binary form (`arrays.ts`), text, number, bigint, null.
   * Rows: int8 comes as bigint, numeric as text, bytea as Buffer.
   */
  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface TransactionOptions {
  /** Milliseconds that each of its statements may take, where the adapter limits them; default: the adapter's. */
  readonly statementPatience?: number;
}

/** Statements and transactions of one PostgreSQL schema. */
export interface SchemaStatements extends Statements {
  /** A plain identifier: lower-case letters, digits, underscores. */
  readonly schema: string;
  /** BEGIN, `run`, COMMIT. If `run` throws: ROLLBACK, and the error goes on. See `withKnownOutcome` for lost connections. */
  transaction<T>(run: (statements: Statements) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/**
 * One PostgreSQL schema, owned by one service. Two adapters: embedded, and PostgreSQL. Inside `transaction` use only the
 * statements handed in: the embedded adapter has one connection, so that anything else would wait for ever.
 */
export interface Database extends SchemaStatements {
  /**
   * Runs a script of several statements without values: maintenance, never on a request's path. Default patience: none ends
   * it. Where it ends one, the server may go on with the statement, and the connection is not used again.
   */
  script(text: string, options?: TransactionOptions): Promise<void>;
  /**
   * For a Prisma client of this schema: `new PrismaClient({ adapter: database.prismaAdapter() })`, over both kinds of database.
   * While the database is in trouble its calls reject with errors that `unavailableReason` knows; otherwise with Prisma's.
   */
  prismaAdapter(): SqlDriverAdapterFactory;
  /**
   * Brings the schema to the newest migration of the folder (`<folder>/<name>/migration.sql`, sorted by name). Quick
   * when there is nothing to do. Throws DatabaseError `NewerSchema`, `ChangedMigration`, `MigrationFailed` or, where a restore
   * was killed, `RestoreUnfinished`.
   */
  migrate(migrations: MigrationSource): Promise<void>;
  /**
   * Takes the writer's lock of the schema (architecture, decision 3). DatabaseError `WriterExists` names the holder, if
   * there is one and it does not go away within some seconds.
   */
  openWriter(options: WriterOptions): Promise<DatabaseWriter>;
  /** From now on the observer is told of all work; to be called before `openWriter`. */
  observe(observer: DatabaseObserver): void;
  /** How its connections are used now. */
  usage(): DatabaseUsage;
}

export interface WriterOptions {
  /** Who writes, for a second starter's message: `group-node-0, process 4711 on host-a`. */
  readonly holder: string;
  /** The lock is lost (connection gone). Called once for each loss, also while idle. */
  readonly onLost: (error: Error) => void;
}

/**
 * The one connection that holds the writer's lock of a schema: statements go over it, so that who has lost the lock
 * cannot write. After a loss the next statement takes the lock again on a new connection, which proves that the lost one
 * does nothing any more (so a COMMIT whose outcome is unknown is read back here), or rejects with DatabaseError
 * `WriterExists` if another process has it by now.
 */
export interface DatabaseWriter extends SchemaStatements {
  readonly isHeld: boolean;
  /**
   * Statements over the lock as it is held now (it is taken first where it is not). Once lost they reject with
   * WriterLostError for ever: another writer may have come and gone, so what was planned on what was read before the
   * loss must not be written after it.
   */
  term(): Promise<SchemaStatements>;
  /** Gives the lock back. */
  close(): Promise<void>;
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
  /** Rejects when it does not answer: DatabaseError `Unreachable`, or `AccessRefused`, which time does not mend. */
  check(): Promise<void>;
  close(): Promise<void>;
}
