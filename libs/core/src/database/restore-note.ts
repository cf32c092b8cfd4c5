import { type Logger } from '../observability/index.js';
import { type Database } from './database.js';

/** Records that the tables of a schema came from a backup; times in ISO 8601. */
export interface RestoreNote {
  readonly backupMadeAt: string;
  readonly restoredAt: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Stores the note as the comment of the schema. A later restore replaces it; a wipe removes it with the schema. */
export const noteRestore = (database: Database, note: RestoreNote): Promise<void> =>
  database.script(`COMMENT ON SCHEMA "${database.schema}" IS ${quoted(JSON.stringify(note))}`);

const parse = (comment: string): Partial<RestoreNote> | undefined => {
  try {
    return JSON.parse(comment) as Partial<RestoreNote>;
  } catch {
    return undefined; // a comment of somebody else
  }
};

/** Logs a restore of the schema. At each start, because the log of that start may be the only one available. */
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
