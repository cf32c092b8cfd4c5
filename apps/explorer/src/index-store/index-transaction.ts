import { type SchemaStatements, type Statements } from '@shardnode/core/database';
import { type Snapshot } from '../database/snapshot.js';
import { statementTexts, type StatementName } from './statements.js';

/** One database transaction of the index. */
export interface IndexTransaction extends Snapshot {
  /** Runs a statement of `statements.ts`. Arrays are in binary form. */
  run<Row extends object>(name: StatementName, values: readonly unknown[]): Promise<readonly Row[]>;
  /** The same for a statement whose rows nobody needs: it follows those before it, and nobody waits for it alone. */
  write(name: StatementName, values: readonly unknown[]): void;
}

/** Runs work in one transaction of the index: all of it or nothing. */
export type InTransaction = <T>(work: (transaction: IndexTransaction) => Promise<T>) => Promise<T>;

/** Waits for the writes of work. One that failed is the cause of all failures after it. */
const withWrites = async <T>(work: (writes: Promise<unknown>[]) => Promise<T>): Promise<T> => {
  const writes: Promise<unknown>[] = [];
  try {
    return await work(writes);
  } finally {
    await Promise.all(writes);
  }
};

/**
 * Transactions of the index in a database. The texts of the statements are made once.
 * @param mayBeLost whether a transaction may be lost in a crash of the server, asked before each one
 */
export const transactionsOver = (database: SchemaStatements, mayBeLost: () => boolean = () => false): InTransaction => {
  const { schema } = database;
  const texts = statementTexts(schema);
  const over = (statements: Statements, writes: Promise<unknown>[]): IndexTransaction => ({
    schema,
    query: (name, text, values) => statements.query(name, text, values),
    run: (name, values) => statements.query(name, texts[name], values),
    write: (name, values) => {
      const written = statements.query(name, texts[name], values);
      written.catch(() => undefined);
      writes.push(written);
    },
  });
  return (work) =>
    database.transaction(async (statements) => {
      // Of this transaction alone: in an embedded database all services share the session.
      if (mayBeLost()) await statements.query('commit-asynchronously', 'SET LOCAL synchronous_commit = off');
      return withWrites((writes) => work(over(statements, writes)));
    });
};
