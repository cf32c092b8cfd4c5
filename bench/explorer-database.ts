import { type Database, openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, startPostgres } from '@shardnode/core/servers';
import { explorerMigrations } from '@shardnode/explorer';
import { temporaryFolder } from './temporary-folder.js';

/** Gives the empty index of an explorer, on a server that is there until the work is done. */
export const withExplorerDatabase = async (work: (database: Database) => Promise<void>): Promise<void> => {
  const folder = temporaryFolder();
  const server = await startPostgres({ folder: folder.path });
  const url = await createServiceDatabase(server.url, 'explorer', 'secret');
  const host = openDatabaseServer({ url, applicationName: 'explorer', logger: silentLogger });
  try {
    const database = host.service('explorer');
    await database.migrate(explorerMigrations);
    await work(database);
  } finally {
    await host.close();
    await server.remove();
    folder.remove();
  }
};
