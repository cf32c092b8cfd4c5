import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Runs statements: a database as a whole, or one transaction of it. */
export interface Statements {
  /**
   * Runs a named statement, prepared once per connection. A name has one text for ever. `text` names its schema.
   * Values: Buffer or Uint8Array for bytea and for arrays in binary form (`arrays.ts`), text, number, bigint, null.
   * Rows: int8 comes as bigint, numeric as text, bytea as Buffer.
   */
  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface TransactionOptions {
  /** Statement timeout in milliseconds, where the adapter has one; default: the adapter's. */
  readonly statementPatience?: number;
  /**
   * Only reads, all of one moment. The server stops a statement after this many milliseconds: the error has the code
   * `statementStopped`.
   */
  readonly snapshotTimeoutMs?: number;
}

/** Code of the error of a statement that the server stopped after its timeout. */
export const statementStopped = '57014';

/** Statements and transactions of one PostgreSQL schema. */
export interface SchemaStatements extends Statements {
  /** A plain identifier: lower-case letters, digits, underscores. */
  readonly schema: string;
  /** BEGIN, `run`, COMMIT. If `run` throws: ROLLBACK, and the error goes on. See `withKnownOutcome` for lost connections. */
  transaction<T>(run: (statements: Statements) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** `read`: over the pool. `write`: over the connection that holds the writer's lock. */
export type StatementKind = 'read' | 'write';

/** Called for every statement and transaction with its duration, including the wait for a connection; for metrics. */
export type DatabaseObserver = (kind: StatementKind, seconds: number) => void;

/** Called when a shared connection is given back, with the seconds for which its user kept all others waiting. */
export type HoldObserver = (seconds: number) => void;

/** Current use of the connections of a database. */
export interface DatabaseUsage {
  /** Maximum number of connections for reads. */
  readonly limit: number;
  readonly used: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  /** Whether the writer's lock is held; without a writer, whether the last statement reached the database. */
  readonly isReachable: boolean;
}

/**
 * One PostgreSQL schema, owned by one service. Two adapters: embedded, and PostgreSQL. Inside `transaction` use only
 * the passed statements: the embedded adapter has one connection, so any other statement would wait for ever.
 */
export interface Database extends SchemaStatements {
  /**
   * Runs a script of several statements without values: maintenance, never on a request's path. Default timeout: none.
   * After a timeout the server may continue the statement, and the connection is not reused.
   */
  script(text: string, options?: TransactionOptions): Promise<void>;
  /**
   * For a Prisma client of this schema: `new PrismaClient({ adapter: database.prismaAdapter() })`, over both adapters.
   * While the database is unavailable its calls reject with errors known to `unavailableReason`; otherwise with
   * Prisma's.
   */
  prismaAdapter(): SqlDriverAdapterFactory;
  /**
   * Migrates the schema to the newest migration of the folder (`<folder>/<name>/migration.sql`, sorted by name). Fast
   * when nothing is pending.
   * @throws DatabaseError `NewerSchema`, `ChangedMigration`, `MigrationFailed` or, after a killed restore,
   * `RestoreUnfinished`
   */
  migrate(migrations: MigrationSource): Promise<void>;
  /**
   * Takes the writer's lock of the schema (architecture, decision 3). Throws DatabaseError `WriterExists`, which names
   * the holder, if the holder does not release the lock within some seconds.
   */
  openWriter(options: WriterOptions): Promise<DatabaseWriter>;
  /** Reports all later work to the observer. Call it before `openWriter`. */
  observe(observer: DatabaseObserver): void;
  /** Reports how long this schema holds the connection that all schemas of an embedded database share. */
  observeHolds(observer: HoldObserver): void;
  /** Current use of its connections. */
  usage(): DatabaseUsage;
}

export interface WriterOptions {
  /** Name of this writer, for the error of a second one: `group-node-0, process 4711 on host-a`. */
  readonly holder: string;
  /** Called once for each loss of the lock (lost connection), also while idle. */
  readonly onLost: (error: Error) => void;
}

/**
 * The one connection that holds the writer's lock of a schema. Statements use it, so that a writer without the lock
 * cannot write. After a loss the next statement takes the lock again on a new connection. This proves that the lost
 * connection is no longer active, so a COMMIT of unknown outcome is read back here. The statement rejects with
 * DatabaseError `WriterExists` if another process holds the lock.
 */
export interface DatabaseWriter extends SchemaStatements {
  readonly isHeld: boolean;
  /**
   * Statements under the current hold of the lock; takes the lock first if it is not held. After a loss they reject
   * with WriterLostError for ever: another writer may have written in between, so a write based on reads before the
   * loss must not happen after it.
   */
  term(): Promise<SchemaStatements>;
  /** Releases the lock. */
  close(): Promise<void>;
}

export interface MigrationSource {
  /** The service's prisma/migrations folder. */
  readonly folder: string;
  /** The service's prisma/schema.prisma. */
  readonly schemaFile: string;
}

/** A database with a schema for each of several services. */
export interface DatabaseHost {
  /** The same object for the same name. */
  service(schema: string): Database;
  /**
   * Rejects with DatabaseError `Unreachable` when the database does not answer, or with `AccessRefused`, where a retry
   * does not help.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}
