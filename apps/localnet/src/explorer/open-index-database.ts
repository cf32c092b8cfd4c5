import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  DatabaseError,
  type DatabaseErrorCode,
  type DatabaseHost,
  openEmbeddedDatabase,
  resetDataFolder,
} from '@shardnode/core/database';
import { sleep, systemClock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';

const preparedIndex = fileURLToPath(new URL('../prepared-index.tar.gz', import.meta.url));

/** Errors of a folder that an empty one does not have: the index is built again from the chain. */
const curedByReset: ReadonlySet<DatabaseErrorCode> = new Set(['OtherNetwork', 'OtherVersion', 'DamagedFolder']);

/** The process is the explorer's own: a thread for its engine, and as many pages as the chain has, would only take memory. */
const engine = { engine: 'in-process', bufferMegabytes: 16 } as const;

/** Milliseconds. The explorer of a network that was killed ends within this time. */
const formerEndsWithin = 10_000;

/**
 * The database of the index: an engine and a folder of its own, so that no statement of the chain waits for it. A folder
 * that cannot be read is emptied.
 * @throws DatabaseError
 */
export const openIndexDatabase = async (dataDir: string, identity: string, logger: Logger): Promise<DatabaseHost> => {
  const until = performance.now() + formerEndsWithin;
  for (let isReset = false; ;) {
    try {
      const prepared = existsSync(preparedIndex) ? { preparedCluster: preparedIndex } : {};
      return await openEmbeddedDatabase({ dataDir, identity, ...engine, ...prepared });
    } catch (error) {
      const code = error instanceof DatabaseError ? error.code : undefined;
      if (code === 'FolderInUse' && performance.now() < until) {
        await sleep(systemClock, 100);
      } else if (code !== undefined && curedByReset.has(code) && !isReset) {
        logger.warn({ err: error }, 'the index is dropped and built again');
        await resetDataFolder(dataDir);
        isReset = true;
      } else throw error;
    }
  }
};
