import { type SchemaStatements } from './database.js';
import { unavailableReason } from './unavailable.js';

/**
 * The same statements, whose errors are made into others where the database is in trouble (`unavailableReason`). Not
 * for writes whose outcome is read back: `withKnownOutcome` has to see what happened.
 */
export const tellingWhy = (
  statements: SchemaStatements,
  unavailable: (reason: string, cause: unknown) => Error,
): SchemaStatements => {
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      const reason = unavailableReason(error);
      throw reason === undefined ? error : unavailable(reason, error);
    });
  return {
    schema: statements.schema,
    query: (name, text, values) => told(statements.query(name, text, values)),
    transaction: (run, options) => told(statements.transaction(run, options)),
  };
};
