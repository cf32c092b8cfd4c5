import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.js';
import { removeCluster } from './folder-state.js';

export interface ResetOptions {
  /** Names of files in the folder that belong to the database. */
  readonly besides?: readonly string[];
  /** Runs before anything is deleted, while the folder is locked. */
  readonly first?: () => Promise<void>;
}

/**
 * Deletes the database of a data folder, and nothing else in it but the named files that belong to it.
 * @throws DatabaseError `FolderInUse` while a process has it open
 */
export const resetDataFolder = async (dataDir: string, { besides = [], first }: ResetOptions = {}): Promise<void> => {
  if (!existsSync(dataDir)) return;
  const lock = lockFolder(dataDir);
  try {
    await first?.();
    // Before the database: a folder without one may have no other files.
    for (const name of besides) rmSync(join(dataDir, name), { force: true });
    removeCluster(dataDir);
  } finally {
    lock.release();
  }
};
