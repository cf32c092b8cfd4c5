import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.js';
import { removeCluster } from './folder-state.js';

/**
 * Deletes the database of a data folder, and nothing else in it but the named files that belong to it. Throws
 * DatabaseError `FolderInUse` while a process has it open.
 */
export const resetDataFolder = (dataDir: string, besides: readonly string[] = []): void => {
  if (!existsSync(dataDir)) return;
  const lock = lockFolder(dataDir);
  try {
    // First: a folder without a database may have no other files.
    for (const name of besides) rmSync(join(dataDir, name), { force: true });
    removeCluster(dataDir);
  } finally {
    lock.release();
  }
};
