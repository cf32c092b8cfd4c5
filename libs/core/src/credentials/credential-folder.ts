import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readSecretFile, readSettingFile } from '../configuration/index.js';

/** Lower-case letters, digits, `_`, `-` and `.`; at most one folder, separated by `/`. */
const plainName = /^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)?$/;

/** 192 random bits in characters that need no escaping in any server or URL. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/** Mode of the folder: each reader of the files may enter it. */
const folderModeOf = (mode: number): number => mode | ((mode & 0o444) >> 2);

/**
 * Secrets as files of one line, by name: `nats/gateway`. A file is replaced atomically: a reader sees the old or the
 * new value.
 */
export class CredentialFolder {
  /** @param mode of the files, default 0600; the same users may enter the folders */
  constructor(
    readonly path: string,
    private readonly mode = 0o600,
  ) {}

  pathOf(name: string): string {
    if (!plainName.test(name)) throw new RangeError(`not a name of a credential: ${name}`);
    return join(this.path, name);
  }

  has(name: string): boolean {
    return existsSync(this.pathOf(name));
  }

  /** @throws SettingFileError when the file is missing, empty, or has more than one line */
  read(name: string): string {
    return readSecretFile(this.pathOf(name));
  }

  /** A file of several lines, such as a certificate. @throws SettingFileError */
  readText(name: string): string {
    return readSettingFile(this.pathOf(name));
  }

  /** Time of the last change; undefined: the file is missing. */
  changedAt(name: string): Date | undefined {
    return statSync(this.pathOf(name), { throwIfNoEntry: false })?.mtime;
  }

  /** Creates the missing files. Returns their names. */
  ensure(names: readonly string[], make: () => string = newPassword): readonly string[] {
    const missing = names.filter((name) => !this.has(name));
    for (const name of missing) this.write(name, make());
    return missing;
  }

  /** Writes the text; adds a final line break if there is none. */
  write(name: string, text: string): void {
    this.prepare(name, text)();
  }

  /**
   * Writes the text to `NAME.new`. The returned function renames it to NAME. For a secret that must be known elsewhere
   * before it applies here. After a kill between the two steps the new value is in `NAME.new`.
   */
  prepare(name: string, text: string): () => void {
    const file = this.pathOf(name);
    this.makeFolders(file);
    const fresh = `${file}.new`;
    const handle = openSync(fresh, 'w', this.mode);
    try {
      // The umask, and a file left by a killed run, affect the mode of `open`.
      chmodSync(fresh, this.mode);
      writeSync(handle, text.endsWith('\n') ? text : `${text}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return () => renameSync(fresh, file);
  }

  private makeFolders(file: string): void {
    for (const folder of new Set([this.path, dirname(file)])) {
      if (existsSync(folder)) continue;
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, folderModeOf(this.mode) | 0o700);
    }
  }
}
