import { existsSync } from 'node:fs';
import { lockFolder } from './folder-lock.js';
import { removeCluster } from './folder-state.js';

/**
 * Deletes the database of a data folder, and nothing else in it. Throws DatabaseError `FolderInUse` while a process has
 * it open.
 */
export const resetDataFolder = (dataDir: string): void => {
  if (!existsSync(dataDir)) return;
  const lock = lockFolder(dataDir);
  try {
    removeCluster(dataDir);
  } finally {
    lock.release();
  }
};
