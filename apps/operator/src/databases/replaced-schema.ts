import { type Database } from '@shardnode/core/database';
import { CommandFailure } from '../command.js';

/** Name of the schema in which tables stay that a restore replaces, until the backup is whole. */
export const asideOf = (schema: string): string => `${schema}_replaced`;

export const isSchemaThere = async (database: Database, schema: string): Promise<boolean> => {
  const [row] = await database.query<{ there: boolean }>(
    'operator-there',
    'SELECT to_regnamespace($1) IS NOT NULL AS there',
    [`"${schema}"`],
  );
  return row?.there ?? false;
};

/**
 * What a restore that was killed had put aside is put back: nobody else has it.
 * @throws CommandFailure when there are other tables in its place by now: which of the two counts is the person's to say
 */
export const putBackReplaced = async (database: Database, name: string): Promise<void> => {
  const { schema } = database;
  const aside = asideOf(schema);
  if (!(await isSchemaThere(database, aside))) return;
  if (await isSchemaThere(database, schema)) {
    throw new CommandFailure(
      `${name} has its tables twice: in the schema ${schema}, and in ${aside}, where a restore that was killed had put what was there before. That may be the only copy. Look at both with psql; then either DROP SCHEMA ${aside} CASCADE, or DROP SCHEMA ${schema} CASCADE and ALTER SCHEMA ${aside} RENAME TO ${schema}. Nothing was done.`,
    );
  }
  await database.script(`ALTER SCHEMA "${aside}" RENAME TO "${schema}"`);
};
