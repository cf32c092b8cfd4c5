import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MigrationScript {
  /** Name of the folder; migrations are sorted by it. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the script in hexadecimal, as in the migration table. */
  readonly checksum: string;
}

/** The scripts of a prisma/migrations folder in the order of application. */
export const readMigrations = (folder: string): readonly MigrationScript[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'migration.sql')))
    .map((entry) => {
      const sql = readFileSync(join(folder, entry.name, 'migration.sql'), 'utf8');
      return { name: entry.name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
