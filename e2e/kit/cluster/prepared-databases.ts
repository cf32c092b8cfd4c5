import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, requireProgram, startPostgres } from '@shardnode/core/servers';
import { groupNodeNames } from './cluster-process.js';
import { migratedApplications, migrationsOf, sourceOf } from './migrations.js';

const execute = promisify(execFile);

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const cache = join(projectFolder, 'node_modules/.cache/prepared-databases');

/** Database, schema and application of each service. */
const services = [
  ...groupNodeNames.map((_, group) => [`shardnode_group_${group}`, `group_${group}`, 'group-node'] as const),
  ['shardnode_wallet', 'wallet', 'wallet-service'] as const,
];

/** What it was made of: other migrations, another PostgreSQL, or another user who runs it, make another one. */
const nameOfContents = (): string => {
  const migrations = migratedApplications.flatMap(migrationsOf);
  const engine = readFileSync(join(projectFolder, 'node_modules/@prisma/schema-engine-wasm/package.json'), 'utf8');
  const parts = [migrations, services, engine, requireProgram('postgres'), process.getuid?.() ?? 0];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20);
};

const fill = async (adminUrl: string): Promise<void> => {
  for (const [database, schema, application] of services) {
    const url = await createServiceDatabase(adminUrl, database, randomBytes(12).toString('hex'));
    const host = openDatabaseServer({ url, applicationName: 'prepared databases', logger: silentLogger });
    try {
      await host.service(schema).migrate(sourceOf(application));
    } finally {
      await host.close();
    }
  }
};

/** As a whole or not at all: two test processes may do this at the same time. What was made of other migrations goes. */
const publish = async (made: string, folder: string): Promise<void> => {
  mkdirSync(cache, { recursive: true });
  const partial = `${folder}.${process.pid}`;
  // `cp`: it keeps whose files they are, and goes from one disk to another.
  await execute('cp', ['-a', made, partial]);
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(basename(folder))) rmSync(join(cache, name), { recursive: true, force: true });
  }
};

const make = async (folder: string): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), 'shardnode-prepared-'));
  try {
    const server = await startPostgres({ folder: join(work, 'postgres') });
    try {
      await fill(server.url);
    } finally {
      // In order: what starts on a copy of it has nothing to recover.
      await server.stop();
    }
    await publish(join(work, 'postgres'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

let made: Promise<string> | undefined;

/**
 * Folder of a PostgreSQL that has the databases of all services with their tables, as the services' own migrations make
 * them, and nothing in them. It is made once, and kept until a migration changes: a cluster that begins with a copy is
 * spared `initdb` and five migrations.
 */
export const preparedDatabases = (): Promise<string> => {
  made ??= (async () => {
    const folder = join(cache, nameOfContents());
    if (!existsSync(folder)) await make(folder);
    return folder;
  })();
  return made;
};
