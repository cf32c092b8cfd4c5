import { readFileSync } from 'node:fs';
import { systemErrorText } from '../errors/index.js';

/** An unusable file of a setting. The message completes "API_KEY_FILE: " and never holds a part of the content. */
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
  return `cannot be read: ${systemErrorText(error)}`;
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
 * Reads the file at each call, so that new content applies at once. While the file is unreadable, the last content
 * applies: a replacement may have removed the old file just before.
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
