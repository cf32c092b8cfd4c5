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

/** Words of small letters, digits, `_`, `-` and `.`, the folders among them apart by `/`. */
const plainName = /^[a-z0-9][a-z0-9_.-]*(\/[a-z0-9][a-z0-9_.-]*)?$/;

/** 192 random bits that every server and every address takes as they are. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/** Whoever may read the files may look into the folder. */
const folderModeOf = (mode: number): number => mode | ((mode & 0o444) >> 2);

/**
 * Secrets as files of one line, by name: `nats/gateway`. A file is replaced as a whole, so that whoever reads it finds the
 * old or the new value, and no part of one.
 */
export class CredentialFolder {
  /** @param mode of the files, default 0600; the folders let the same users through */
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

  /** @throws SettingFileError when it is not there, empty, or has more than one line */
  read(name: string): string {
    return readSecretFile(this.pathOf(name));
  }

  /** Of several lines: a certificate. @throws SettingFileError */
  readText(name: string): string {
    return readSettingFile(this.pathOf(name));
  }

  /** When it was made last; undefined: it is not there. */
  changedAt(name: string): Date | undefined {
    return statSync(this.pathOf(name), { throwIfNoEntry: false })?.mtime;
  }

  /** Those that are missing are made; gives their names. */
  ensure(names: readonly string[], make: () => string = newPassword): readonly string[] {
    const missing = names.filter((name) => !this.has(name));
    for (const name of missing) this.write(name, make());
    return missing;
  }

  /** A text that ends with a line break, as it is; another one as a line. */
  write(name: string, text: string): void {
    this.prepare(name, text)();
  }

  /**
   * Has the text on the disk as `NAME.new`, and gives what puts it in the place of NAME: for a secret that somebody else is told
   * before it counts here. Whoever is killed between the two finds it there.
   */
  prepare(name: string, text: string): () => void {
    const file = this.pathOf(name);
    this.makeFolders(file);
    const fresh = `${file}.new`;
    const handle = openSync(fresh, 'w', this.mode);
    try {
      // The mask of the process, and a file that a killed run left behind, have a say in the mode of `open`.
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
