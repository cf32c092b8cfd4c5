import { rmSync } from 'node:fs';
import { afterFormerHolder, resetDataFolder } from '@shardnode/core/database';
import { indexFolderOf } from './explorer/explorer-process.js';
import { namesFile } from './settings.js';

const removeIndex = async (folder: string): Promise<void> => {
  await afterFormerHolder(() => resetDataFolder(folder));
  rmSync(folder, { recursive: true, force: true });
};

/**
 * Deletes chain, wallets, names of contracts and index of a network that does not run; the index first, because a chain
 * without one gets it again.
 * @throws DatabaseError `FolderInUse`
 */
export const resetNetworkFolder = (dataDir: string): Promise<void> =>
  resetDataFolder(dataDir, { besides: [namesFile], first: () => removeIndex(indexFolderOf(dataDir)) });
