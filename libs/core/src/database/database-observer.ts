import { type DatabaseWriter, type SchemaStatements } from './database.js';

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

/** Reports the duration of the work, on success and failure. */
export const observedWork = async <T>(
  kind: StatementKind,
  observer: DatabaseObserver,
  work: Promise<T>,
): Promise<T> => {
  const startedAt = performance.now();
  try {
    return await work;
  } finally {
    observer(kind, (performance.now() - startedAt) / 1000);
  }
};

const observedStatements = (statements: SchemaStatements, observer: DatabaseObserver): SchemaStatements => ({
  schema: statements.schema,
  query: (name, text, values) => observedWork('write', observer, statements.query(name, text, values)),
  transaction: (run, options) => observedWork('write', observer, statements.transaction(run, options)),
});

/** The same writer, reporting its work to the observer. */
export const observedWriter = (writer: DatabaseWriter, observer: DatabaseObserver): DatabaseWriter => ({
  ...observedStatements(writer, observer),
  get isHeld() {
    return writer.isHeld;
  },
  term: async () => observedStatements(await writer.term(), observer),
  close: () => writer.close(),
});
