import { type Database, type DatabaseWriter } from './database.js';

/** Writes without a lock: for tools and tests with exclusive access. */
export const unlockedWriter = (database: Database): DatabaseWriter => ({
  schema: database.schema,
  isHeld: true,
  query: (name, text, values) => database.query(name, text, values),
  transaction: (run, options) => database.transaction(run, options),
  term: () => Promise.resolve(database),
  close: () => Promise.resolve(),
});
