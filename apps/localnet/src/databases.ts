import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEmbeddedDatabase, type DatabaseHost } from '@shardnode/core/database';
import { networkIdentity } from '@shardnode/messages/network';
import { type LocalnetConfiguration } from './settings.js';

const preparedCluster = fileURLToPath(new URL('./prepared-cluster.tar.gz', import.meta.url));

/** In version 0.1 the index was here. It is built again in a folder of its own. */
const dropFormerIndex = async (databases: DatabaseHost): Promise<void> =>
  databases.service('explorer').script('DROP SCHEMA IF EXISTS explorer CASCADE');

/**
 * The database of the chain and the wallets, in the data folder. Throws DatabaseError, immediately when the folder cannot be used.
 */
export const openDatabases = async ({ network, dataDir }: LocalnetConfiguration): Promise<DatabaseHost> => {
  const databases = await openEmbeddedDatabase({
    dataDir,
    identity: networkIdentity(network),
    ...(existsSync(preparedCluster) ? { preparedCluster } : {}),
  });
  await dropFormerIndex(databases);
  return databases;
};
