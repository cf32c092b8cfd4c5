import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MigrationSource, prepareCluster, readMigrations } from '@shardnode/core/database';

/** Workspaces share one node_modules. */
const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

const keyOf = (schemas: Readonly<Record<string, MigrationSource>>): string => {
  const scripts = Object.entries(schemas).map(([schema, { folder }]) => [schema, readMigrations(folder)]);
  return createHash('sha256')
    .update(readFileSync(join(modules, '@electric-sql', 'pglite', 'package.json')))
    .update(JSON.stringify(scripts))
    .digest('hex')
    .slice(0, 24);
};

/**
 * An archive of a fresh cluster with migrated schemas, for embedded databases of tests: to open one takes tenths of a
 * second in place of some seconds. All tests share it; other migrations have another one.
 */
export const preparedClusterFile = async (schemas: Readonly<Record<string, MigrationSource>>): Promise<string> => {
  const folder = join(modules, '.cache', 'shardnode', 'clusters');
  const file = join(folder, `${keyOf(schemas)}.tar.gz`);
  if (existsSync(file)) return file;
  const archive = await prepareCluster(async (service) => {
    for (const [schema, migrations] of Object.entries(schemas)) await service(schema).migrate(migrations);
  });
  mkdirSync(folder, { recursive: true });
  // Another process may make the same at the same time.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, archive);
  renameSync(own, file);
  return file;
};
