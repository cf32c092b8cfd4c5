import { fileURLToPath } from 'node:url';
import { type MigrationScript, type MigrationSource, readMigrations } from '@shardnode/core/database';

/** Location of the explorer's schema; the same from the source and from the build. */
export const explorerMigrations: MigrationSource = {
  folder: fileURLToPath(new URL('../../prisma/migrations', import.meta.url)),
  schemaFile: fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url)),
};

let scripts: readonly MigrationScript[] | undefined;

/** The scripts of this program, read once. */
export const migrationScripts = (): readonly MigrationScript[] =>
  (scripts ??= readMigrations(explorerMigrations.folder));
