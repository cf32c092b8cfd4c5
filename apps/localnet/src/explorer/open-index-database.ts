import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  afterFormerHolder,
  DatabaseError,
  type DatabaseErrorCode,
  type DatabaseHost,
  openEmbeddedDatabase,
  resetDataFolder,
} from '@shardnode/core/database';
import { type Logger } from '@shardnode/core/observability';

const preparedIndex = fileURLToPath(new URL('../prepared-index.tar.gz', import.meta.url));

/** Errors of a folder that an empty one does not have: the index is built again from the chain. */
const curedByReset: ReadonlySet<DatabaseErrorCode> = new Set(['OtherNetwork', 'OtherVersion', 'DamagedFolder']);

/** The process is the explorer's own: a thread for its engine, and as many pages as the chain has, would only take memory. */
const engine = { engine: 'in-process', bufferMegabytes: 16 } as const;

/**
 * The database of the index: an engine and a folder of its own, so that no statement of the chain waits for it. A folder
 * that cannot be read is emptied.
 * @throws DatabaseError
 */
export const openIndexDatabase = async (dataDir: string, identity: string, logger: Logger): Promise<DatabaseHost> => {
  const prepared = existsSync(preparedIndex) ? { preparedCluster: preparedIndex } : {};
  const open = (): Promise<DatabaseHost> => openEmbeddedDatabase({ dataDir, identity, ...engine, ...prepared });
  try {
    return await afterFormerHolder(open);
  } catch (error) {
    if (!(error instanceof DatabaseError) || !curedByReset.has(error.code)) throw error;
    logger.warn({ err: error }, 'the index is dropped and built again');
    await resetDataFolder(dataDir);
    return open();
  }
};
