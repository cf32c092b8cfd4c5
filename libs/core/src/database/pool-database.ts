import { type SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { type Connections } from './connections.js';
import {
  type Database,
  type DatabaseObserver,
  type DatabaseUsage,
  type DatabaseWriter,
  type HoldObserver,
  type MigrationSource,
  type Statements,
  type TransactionOptions,
  type WriterOptions,
} from './database.js';
import { observedWork, observedWriter } from './database-observer.js';
import { prismaAdapterOver } from './prisma.js';
import { runNamed, runTransaction } from './statements.js';

const schemaName = /^[a-z][a-z0-9_]{0,30}$/;

/** The parts that differ between the two adapters. */
export interface AdapterParts {
  migrate(schema: string, migrations: MigrationSource): Promise<void>;
  openWriter(database: Database, options: WriterOptions): Promise<DatabaseWriter>;
}

/** One schema of a server or of an embedded cluster, over a connection pool. Both adapters use this class. */
export class PoolDatabase implements Database {
  private observer: DatabaseObserver | undefined;
  private held: HoldObserver | undefined;
  private writer: DatabaseWriter | undefined;

  constructor(
    private readonly connections: Connections,
    readonly schema: string,
    private readonly parts: AdapterParts,
  ) {
    if (!schemaName.test(schema)) throw new RangeError(`not a plain schema name: ${schema}`);
  }

  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.observed(
      this.connections.use((client) => runNamed<Row>(client, this.schema, { name, text, values }), this.held),
    );
  }

  transaction<T>(run: (statements: Statements) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.observed(
      this.connections.use((client) => runTransaction(client, this.schema, run, options), this.held),
    );
  }

  async script(text: string, { statementPatience = longest }: TransactionOptions = {}): Promise<void> {
    const limited: pg.QueryConfig & { readonly query_timeout: number } = { text, query_timeout: statementPatience };
    await this.connections.use((client) => client.query(limited), this.held);
  }

  prismaAdapter(): SqlDriverAdapterFactory {
    return prismaAdapterOver(
      this.connections,
      this.schema,
      (work) => this.observed(work),
      () => this.held,
    );
  }

  migrate(migrations: MigrationSource): Promise<void> {
    return this.parts.migrate(this.schema, migrations);
  }

  async openWriter(options: WriterOptions): Promise<DatabaseWriter> {
    const writer = await this.parts.openWriter(this, options);
    this.writer = writer;
    return this.observer ? observedWriter(writer, this.observer) : writer;
  }

  observe(observer: DatabaseObserver): void {
    this.observer = observer;
  }

  observeHolds(observer: HoldObserver): void {
    // A server has a connection for each user.
    if (this.connections.pool.options.max === 1) this.held = observer;
  }

  usage(): DatabaseUsage {
    const { pool, reachedLast } = this.connections;
    const { idleCount: idle, totalCount, waitingCount: waiting, options } = pool;
    const isReachable = this.writer?.isHeld ?? reachedLast;
    return { limit: options.max, used: totalCount - idle, idle, waiting, isReachable };
  }

  private observed<T>(work: Promise<T>): Promise<T> {
    return this.observer ? observedWork('read', this.observer, work) : work;
  }
}

/** Milliseconds: scripts have no timeout (zero would mean the pool's limit). */
const longest = 2 ** 31 - 1;
