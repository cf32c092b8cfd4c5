import { readFileSync } from 'node:fs';

/** A file named by a setting that is of no use. The message completes "API_KEY_FILE: "; it never has a part of the content. */
export class SettingFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SettingFileError';
  }
}

const problemOf = (error: unknown): string => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'is not there';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user';
  return `cannot be read (${code ?? 'no reason given'})`;
};

/** The whole file. @throws SettingFileError, also for an empty one */
export const readSettingFile = (file: string): string => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingFileError(`the file ${file} ${problemOf(error)}`, { cause: error });
  }
  if (text.trim() === '') throw new SettingFileError(`the file ${file} is empty`);
  return text;
};

/**
 * For what is needed again and again: the file is read anew each time, so that a new content counts from then on. While it
 * cannot be read the last content counts: whoever replaces a file may just have taken the old one away.
 */
export const rereading = <Value>(read: () => Value, first: Value): (() => Value) => {
  let last = first;
  return () => {
    try {
      last = read();
    } catch (error) {
      if (!(error instanceof SettingFileError)) throw error;
    }
    return last;
  };
};
