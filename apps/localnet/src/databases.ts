import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEmbeddedDatabase, type DatabaseHost } from '@shardnode/core/database';
import { networkIdentity } from '@shardnode/messages/network';
import { type LocalnetConfiguration } from './settings.js';

const preparedCluster = fileURLToPath(new URL('./prepared-cluster.tar.gz', import.meta.url));

/**
 * The database of all services, in the data folder. Throws DatabaseError, immediately when the folder cannot be used.
 */
export const openDatabases = ({ network, dataDir }: LocalnetConfiguration): Promise<DatabaseHost> =>
  openEmbeddedDatabase({
    dataDir,
    identity: networkIdentity(network),
    ...(existsSync(preparedCluster) ? { preparedCluster } : {}),
  });
