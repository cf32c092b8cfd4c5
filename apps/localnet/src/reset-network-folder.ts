import { rmSync } from 'node:fs';
import { DatabaseError, resetDataFolder } from '@shardnode/core/database';
import { sleep, systemClock } from '@shardnode/core/lifecycle';
import { indexFolderOf } from './explorer/explorer-process.js';

/** Milliseconds. The explorer of a network that was killed ends within this time. */
const formerEndsWithin = 10_000;

/** Deletes the index first: a kill in between leaves a chain without index, which is built again. */
const resetIndex = async (folder: string): Promise<void> => {
  const until = performance.now() + formerEndsWithin;
  for (;;) {
    try {
      resetDataFolder(folder);
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      const isInUse = error instanceof DatabaseError && error.code === 'FolderInUse';
      if (!isInUse || performance.now() > until) throw error;
      await sleep(systemClock, 100);
    }
  }
};

/** Deletes chain, wallets and index of a network that does not run. @throws DatabaseError `FolderInUse` */
export const resetNetworkFolder = async (dataDir: string): Promise<void> => {
  await resetIndex(indexFolderOf(dataDir));
  resetDataFolder(dataDir);
};
