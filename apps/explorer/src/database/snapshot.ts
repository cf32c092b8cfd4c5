import { type SchemaStatements, type Statements } from '@shardnode/core/database';

/** Statements of one transaction. Those of an answer see the index of one moment (protocol 08 §7.4). */
export interface Snapshot extends Statements {
  readonly schema: string;
}

/**
 * Runs the statements of an answer in one transaction that only reads.
 * @param timeoutMs milliseconds for one statement
 */
export const inSnapshot = <T>(
  database: SchemaStatements,
  run: (snapshot: Snapshot) => Promise<T>,
  timeoutMs: number,
): Promise<T> =>
  database.transaction(
    (statements) =>
      run({ schema: database.schema, query: (name, text, values) => statements.query(name, text, values) }),
    { snapshotTimeoutMs: timeoutMs },
  );
