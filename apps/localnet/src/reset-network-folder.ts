import { rmSync } from 'node:fs';
import { DatabaseError, resetDataFolder } from '@shardnode/core/database';
import { sleep, systemClock } from '@shardnode/core/lifecycle';
import { indexFolderOf } from './explorer/explorer-process.js';
import { namesFile } from './settings.js';

/** Milliseconds. The explorer of a network that was killed ends within this time. */
const formerEndsWithin = 10_000;

const removeIndex = async (folder: string): Promise<void> => {
  const until = performance.now() + formerEndsWithin;
  for (;;) {
    try {
      await resetDataFolder(folder);
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      const isInUse = error instanceof DatabaseError && error.code === 'FolderInUse';
      if (!isInUse || performance.now() > until) throw error;
      await sleep(systemClock, 100);
    }
  }
};

/**
 * Deletes chain, wallets, names of contracts and index of a network that does not run; the index first, because a chain
 * without one gets it again.
 * @throws DatabaseError `FolderInUse`
 */
export const resetNetworkFolder = (dataDir: string): Promise<void> =>
  resetDataFolder(dataDir, { besides: [namesFile], first: () => removeIndex(indexFolderOf(dataDir)) });
