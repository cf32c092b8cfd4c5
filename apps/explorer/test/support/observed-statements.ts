import { type Database } from '@shardnode/core/database';

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Wraps a database; `observe` sees each statement of its transactions. */
export const observing =
  (observe: (statement: Statement) => void) =>
  (database: Database): Database =>
    Object.assign(Object.create(database) as Database, {
      transaction: ((run, options) =>
        database.transaction(
          ({ query }) =>
            run({
              query: (name, text, values = []) => {
                observe({ name, text, values });
                return query(name, text, values);
              },
            }),
          options,
        )) satisfies Database['transaction'],
    });
