import { type Database, replacedSchema } from '@shardnode/core/database';
import { CommandFailure } from '../command.js';

const areThere = async (database: Database): Promise<{ readonly own: boolean; readonly aside: boolean }> => {
  const { schema } = database;
  const [row] = await database.query<{ own: boolean; aside: boolean }>(
    'operator-replaced',
    'SELECT to_regnamespace($1) IS NOT NULL AS own, to_regnamespace($2) IS NOT NULL AS aside',
    [`"${schema}"`, `"${replacedSchema(schema)}"`],
  );
  return row ?? { own: false, aside: false };
};

export const isSchemaThere = async (database: Database): Promise<boolean> => (await areThere(database)).own;

/** The remains of a killed restore, and the remedy; undefined: nothing remains. */
export const replacedProblem = async (
  database: Database,
  name: string,
): Promise<{ readonly problem: string; readonly remedy: string } | undefined> => {
  const { schema } = database;
  const aside = replacedSchema(schema);
  const there = await areThere(database);
  if (!there.aside) return undefined;
  if (!there.own) {
    return {
      problem: `a restore of it was killed: its tables stand aside in the schema ${aside}, and its service does not start`,
      remedy: `Run the restore again. Or go back to what was there: ALTER SCHEMA ${aside} RENAME TO ${schema}, with psql in ${name}.`,
    };
  }
  return {
    problem: `${name} has its tables twice: in the schema ${schema}, and in ${aside}, where a restore that was killed had put what was there before. That may be the only copy.`,
    remedy: `Look at both with psql; then either DROP SCHEMA ${aside} CASCADE, or DROP SCHEMA ${schema} CASCADE and ALTER SCHEMA ${aside} RENAME TO ${schema}.`,
  };
};

/**
 * Restores the schema that a killed restore had renamed, which is the only copy.
 * @throws CommandFailure when other tables exist in its place: the person must choose one
 */
export const putBackReplaced = async (database: Database, name: string): Promise<void> => {
  const left = await replacedProblem(database, name);
  if (!left) return;
  if (await isSchemaThere(database)) throw new CommandFailure(`${left.problem} ${left.remedy} Nothing was done.`);
  const { schema } = database;
  await database.script(`ALTER SCHEMA "${replacedSchema(schema)}" RENAME TO "${schema}"`);
};
