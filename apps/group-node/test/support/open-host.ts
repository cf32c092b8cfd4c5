import { type DatabaseHost, openDatabaseServer, openEmbeddedDatabase } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';

/** @param database URL of a server, or folder of an embedded database */
export const openHost = async (database: string): Promise<DatabaseHost> =>
  database.startsWith('postgresql:')
    ? openDatabaseServer({ url: database, applicationName: 'pruning', logger: silentLogger })
    : openEmbeddedDatabase({ dataDir: database, engine: 'in-process' });
