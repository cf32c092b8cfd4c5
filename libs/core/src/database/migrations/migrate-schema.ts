import type pg from 'pg';
import { type MigrationSource } from '../database.js';
import { DatabaseError } from '../database-error.js';
import { type MigrationScript, readMigrations } from './migration-folder.js';

interface AppliedRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** What the migration table of the schema says; undefined where there is no such table. */
const readApplied = async (pool: pg.Pool, schema: string): Promise<readonly AppliedRow[] | undefined> => {
  const table = `"${schema}"._prisma_migrations`;
  const { rows } = await pool.query<{ present: boolean }>('SELECT to_regclass($1) IS NOT NULL AS present', [table]);
  if (!rows[0]!.present) return undefined;
  const applied = await pool.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM ${table} WHERE rolled_back_at IS NULL`,
  );
  return applied.rows;
};

/** Which scripts are still to be applied. Throws when the schema is not an earlier form of what the scripts make. */
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

/**
 * Applies what is missing. The engine is loaded only then: it costs 30 MB and some tenths of a second, and on most
 * starts there is nothing to do.
 */
export const migrateSchema = async (pool: pg.Pool, schema: string, source: MigrationSource): Promise<void> => {
  const scripts = readMigrations(source.folder);
  const applied = await readApplied(pool, schema);
  if (applied && pendingScripts(schema, scripts, applied).length === 0) return;
  // Killed in the very first migration: nothing can be stored yet, and the engine would refuse to go on.
  if (applied && applied.length > 0 && applied.every((row) => !row.finished)) {
    await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  }
  const { applyMigrations } = await import('./schema-engine.js');
  await applyMigrations(pool, schema, source, scripts);
};
