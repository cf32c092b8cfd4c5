import { type DatabaseObserver, type DatabaseWriter, type SchemaStatements, type StatementKind } from './database.js';

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
