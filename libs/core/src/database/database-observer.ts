import { type DatabaseWriter, type SchemaStatements } from './database.js';

/** `read`: over the pool. `write`: over the connection that holds the writer's lock. */
export type StatementKind = 'read' | 'write';

/** ObserveResponse of every statement and transaction, with the time that it waited for a connection; for metrics. */
export type DatabaseObserver = (kind: StatementKind, seconds: number) => void;

/** How the connections of a database are used now. */
export interface DatabaseUsage {
  /** Most connections for reads. */
  readonly limit: number;
  readonly used: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  /** Whether the writer's lock is held; where none was taken, whether the last statement reached the database. */
  readonly isReachable: boolean;
}

/** Tells how long the work took, whatever became of it. */
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

/** The same writer, whose work is told. */
export const observedWriter = (writer: DatabaseWriter, observer: DatabaseObserver): DatabaseWriter => ({
  ...observedStatements(writer, observer),
  get isHeld() {
    return writer.isHeld;
  },
  term: async () => observedStatements(await writer.term(), observer),
  close: () => writer.close(),
});
