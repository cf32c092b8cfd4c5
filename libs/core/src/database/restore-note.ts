import { type Logger } from '../observability/index.js';
import { type Database } from './database.js';

/** That the tables of a schema came from a backup; times in ISO 8601. */
export interface RestoreNote {
  readonly backupMadeAt: string;
  readonly restoredAt: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Leaves the note with the schema, as its comment. A later restore replaces it, and a wipe removes it with the schema. */
export const noteRestore = (database: Database, note: RestoreNote): Promise<void> =>
  database.script(`COMMENT ON SCHEMA "${database.schema}" IS ${quoted(JSON.stringify(note))}`);

const parse = (comment: string): Partial<RestoreNote> | undefined => {
  try {
    return JSON.parse(comment) as Partial<RestoreNote>;
  } catch {
    return undefined; // a comment of somebody else
  }
};

/** Says so in the log where the schema was restored: at each start, for the log of that start may be the only one at hand. */
export const logRestore = async (database: Database, logger: Logger): Promise<void> => {
  const [row] = await database.query<{ comment: string | null }>(
    'restore_note',
    `SELECT obj_description(to_regnamespace($1)::oid, 'pg_namespace') AS comment`,
    [`"${database.schema}"`],
  );
  const note = parse(row?.comment ?? '');
  if (typeof note?.backupMadeAt !== 'string' || typeof note.restoredAt !== 'string') return;
  const { backupMadeAt, restoredAt } = note;
  logger.info({ backupMadeAt, restoredAt }, 'the database was restored from a backup');
};
