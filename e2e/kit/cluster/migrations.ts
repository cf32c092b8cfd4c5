import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MigrationSource } from '@shardnode/core/database';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export interface Migration {
  readonly application: string;
  readonly name: string;
  readonly sql: string;
}

/** Applications with a database. */
export const migratedApplications = ['group-node', 'wallet-service'] as const;

/** Where an application describes its schema. */
export const sourceOf = (application: string): MigrationSource => {
  const folder = join(projectFolder, 'apps', application, 'prisma');
  return { folder: join(folder, 'migrations'), schemaFile: join(folder, 'schema.prisma') };
};

/** All migrations of an application, in their order. */
export const migrationsOf = (application: string): readonly Migration[] => {
  const { folder } = sourceOf(application);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ application, name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};
