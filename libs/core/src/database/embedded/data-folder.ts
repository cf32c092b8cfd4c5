import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemErrorText } from '../../errors/index.js';
import { DatabaseError } from '../database-error.js';

/** `FolderNotWritable`, with the reason of the system. */
export const folderNotWritable = (path: string, error: unknown): DatabaseError =>
  new DatabaseError(
    'FolderNotWritable',
    `The data folder ${path} cannot be written: ${systemErrorText(error)}.`,
    'Give this user the right to write there, or choose another folder with DATA_DIR.',
    { cause: error },
  );

/**
 * Creates the folder and its parents, and checks that this user may write there.
 * @throws DatabaseError `FolderNotWritable`
 */
export const makeDataFolder = (folder: string): void => {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
    // Checks the folder itself: a file in its place gives ENOTDIR.
    accessSync(`${path}/.`, constants.W_OK);
  } catch (error) {
    throw folderNotWritable(path, error);
  }
};
