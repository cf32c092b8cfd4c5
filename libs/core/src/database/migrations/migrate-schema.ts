import type pg from 'pg';
import { type MigrationSource } from '../database.js';
import { DatabaseError } from '../database-error.js';
import { type MigrationScript, readMigrations } from './migration-folder.js';

interface AppliedRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** Name of the schema that holds the replaced tables until the restore of a backup is complete. */
export const replacedSchema = (schema: string): string => `${schema}_replaced`;

/** New tables would hide the old ones, which may be the only copy, and would block the next restore. */
const restoreUnfinished = (schema: string, isTwice: boolean): DatabaseError => {
  const aside = replacedSchema(schema);
  const problem = isTwice
    ? `The data of ${schema} is there twice: a restore that did not end has left what was there before in the schema ${aside}.`
    : `The data of ${schema} stands aside in the schema ${aside}: a restore has not ended.`;
  const remedy = isTwice
    ? `Look at both with psql, and drop one: DROP SCHEMA ${aside} CASCADE, or DROP SCHEMA ${schema} CASCADE and ALTER SCHEMA ${aside} RENAME TO ${schema}.`
    : `If it was killed, run it again (operator restore), or go back to what was there: ALTER SCHEMA ${aside} RENAME TO ${schema}.`;
  return new DatabaseError('RestoreUnfinished', problem, `Nothing was changed. ${remedy}`);
};

/** Content of the schema's migration table; undefined without that table. */
const readApplied = async (pool: pg.Pool, schema: string): Promise<readonly AppliedRow[] | undefined> => {
  const table = `"${schema}"._prisma_migrations`;
  const { rows } = await pool.query<{ present: boolean; replaced: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS present, to_regnamespace($2) IS NOT NULL AS replaced',
    [table, `"${replacedSchema(schema)}"`],
  );
  const { present, replaced } = rows[0]!;
  if (replaced) throw restoreUnfinished(schema, present);
  if (!present) return undefined;
  const applied = await pool.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM ${table} WHERE rolled_back_at IS NULL`,
  );
  return applied.rows;
};

/** The scripts to apply. Throws unless the schema is an earlier version of the scripts' result. */
const pendingScripts = (
  schema: string,
  scripts: readonly MigrationScript[],
  applied: readonly AppliedRow[],
): readonly MigrationScript[] => {
  const known = new Map(scripts.map((script) => [script.name, script]));
  for (const row of applied) {
    const script = known.get(row.migration_name);
    if (!script) {
      throw new DatabaseError(
        'NewerSchema',
        `The data of ${schema} was written by a newer version of this program (migration ${row.migration_name}).`,
        'Start the newer version, or start over with an empty data folder.',
      );
    }
    if (row.finished && script.checksum !== row.checksum) {
      throw new DatabaseError(
        'ChangedMigration',
        `The data of ${schema} was made by another version of migration ${row.migration_name}.`,
        'Start the version that made it, or start over with an empty data folder.',
      );
    }
  }
  const finished = new Set(applied.filter((row) => row.finished).map((row) => row.migration_name));
  return scripts.filter((script) => !finished.has(script.name));
};

interface Missing {
  /** All scripts of the folder. */
  readonly scripts: readonly MigrationScript[];
  /** Names of migrations that were started and not finished. */
  readonly unfinished: readonly string[];
  /** The first migration was started and never finished, so nothing is stored. */
  readonly isBarelyBegun: boolean;
}

/** The pending migrations; undefined if there are none. */
const findMissing = async (pool: pg.Pool, schema: string, source: MigrationSource): Promise<Missing | undefined> => {
  const scripts = readMigrations(source.folder);
  const applied = await readApplied(pool, schema);
  if (!applied) return { scripts, unfinished: [], isBarelyBegun: false };
  if (pendingScripts(schema, scripts, applied).length === 0) return undefined;
  const unfinished = applied.filter((row) => !row.finished).map((row) => row.migration_name);
  return { scripts, unfinished, isBarelyBegun: unfinished.length > 0 && unfinished.length === applied.length };
};

/**
 * Serialises migrations in a process: two engines in one WebAssembly instance break it permanently, and schemas on one
 * connection share its search path.
 */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Applies missing migrations, also those that a killed process had started. Loads the engine only then: it costs 30 MB
 * and some tenths of a second, and most starts have nothing pending. The caller's connection takes the lock of the
 * schema's migration when it connects. So it connects before it enters the queue, because a holder of the queue must
 * not wait for such a lock.
 */
export const migrateSchema = async (pool: pg.Pool, schema: string, source: MigrationSource): Promise<void> => {
  if (!(await findMissing(pool, schema, source))) return;
  const result = turn.then(async () => {
    const missing = await findMissing(pool, schema, source);
    if (!missing) return;
    const { scripts, unfinished, isBarelyBegun } = missing;
    if (isBarelyBegun) await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    const { applyMigrations } = await import('./schema-engine.js');
    await applyMigrations({ pool, schema, source, scripts, unfinished: isBarelyBegun ? [] : unfinished });
  });
  turn = result.catch(() => undefined);
  await result;
};
