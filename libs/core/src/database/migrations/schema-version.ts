import { type Statements } from '../database.js';
import { type MigrationScript } from './migration-folder.js';

/** The tables of a schema compared with this program. */
export type SchemaVersion =
  | { readonly kind: 'current'; readonly newest: string }
  /** No tables: the service has never been started. */
  | { readonly kind: 'absent' }
  /** The start of the service migrates them. */
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  | { readonly kind: 'newer'; readonly unknown: string }
  | { readonly kind: 'changed'; readonly name: string };

interface Row {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** Compares the applied migrations with the scripts of this program. Only reads. */
export const schemaVersion = async (
  database: Statements & { readonly schema: string },
  scripts: readonly MigrationScript[],
): Promise<SchemaVersion> => {
  const { schema } = database;
  const table = `"${schema}"._prisma_migrations`;
  const [found] = await database.query<{ present: boolean }>(
    'schema-version-table',
    'SELECT to_regclass($1) IS NOT NULL AS present',
    [table],
  );
  if (!found?.present) return { kind: 'absent' };
  const applied = await database.query<Row>(
    'schema-version',
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM ${table} WHERE rolled_back_at IS NULL`,
  );
  const known = new Map(scripts.map((script) => [script.name, script.checksum]));
  for (const { migration_name: name, checksum, finished } of applied) {
    const expected = known.get(name);
    if (expected === undefined) return { kind: 'newer', unknown: name };
    if (finished && expected !== checksum) return { kind: 'changed', name };
  }
  const finished = new Set(applied.filter((row) => row.finished).map((row) => row.migration_name));
  const missing = scripts.map(({ name }) => name).filter((name) => !finished.has(name));
  return missing.length > 0 ? { kind: 'older', missing } : { kind: 'current', newest: scripts.at(-1)?.name ?? '' };
};
