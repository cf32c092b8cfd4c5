import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseError } from '../database-error.js';

/** `FolderNotWritable`, with the code of the system: ENOENT, ENOTDIR, EACCES, EROFS ... */
export const folderNotWritable = (path: string, error: unknown): DatabaseError =>
  new DatabaseError(
    'FolderNotWritable',
    `The data folder ${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    'Give this user the right to write there, or choose another folder with DATA_DIR.',
    { cause: error },
  );

/** Another process may create it at the same time. */
const makeOne = (folder: string): void => {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/**
 * Creates the folder and its parents, and checks that this user may write there. One by one, because the recursive
 * mkdir of Node 20 never returns below /proc, where the system reports ENOENT although the parent exists.
 * @throws DatabaseError `FolderNotWritable`
 */
export const makeDataFolder = (folder: string): void => {
  const path = resolve(folder);
  try {
    const missing: string[] = [];
    for (let each = path; !existsSync(each); each = dirname(each)) missing.unshift(each);
    missing.forEach(makeOne);
    // Checks the folder itself: a file in its place gives ENOTDIR.
    accessSync(`${path}/.`, constants.W_OK);
  } catch (error) {
    throw folderNotWritable(path, error);
  }
};
