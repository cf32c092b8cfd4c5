import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type DatabaseHost, openDatabaseServer, openEmbeddedDatabase } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createReaderRole, createServiceDatabase, startPostgres } from '@shardnode/core/servers';
import { preparedClusterFile } from '@shardnode/testing/prepared-clusters';
import { explorerMigrations } from '../../src/index.js';

/** A migrated database of a test. */
export interface TestDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

const migrated = async (host: DatabaseHost): Promise<Database> => {
  const database = host.service('explorer');
  await database.migrate(explorerMigrations);
  return database;
};

/** PGlite, in a folder of its own. */
export const openEmbedded = async (): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'shardnode-explorer-'));
  const preparedCluster = await preparedClusterFile({ explorer: explorerMigrations });
  const host = await openEmbeddedDatabase({ dataDir, preparedCluster, engine: 'in-process' });
  return {
    database: await migrated(host),
    close: async () => {
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** On a PostgreSQL server of its own. */
export interface ServerDatabase extends TestDatabase {
  /** The same one, as the role that only reads it. */
  readonly forReading: Database;
}

export const openServer = async (): Promise<ServerDatabase> => {
  const server = await startPostgres({ folder: mkdtempSync(join(tmpdir(), 'shardnode-postgres-')) });
  const url = await createServiceDatabase(server.url, 'explorer', 'secret');
  await createReaderRole(server.url, { database: 'explorer', reader: 'explorer_reader', password: 'secret' });
  const open = (ofRole: string): DatabaseHost =>
    openDatabaseServer({ url: ofRole, applicationName: 'explorer', logger: silentLogger });
  const hosts = [open(url), open(url.replace('//explorer:', '//explorer_reader:'))] as const;
  return {
    database: await migrated(hosts[0]),
    forReading: hosts[1].service('explorer'),
    close: async () => {
      for (const host of hosts) await host.close();
      await server.remove();
    },
  };
};
