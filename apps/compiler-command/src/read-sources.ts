import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CompileError } from '@shardnode/compiler';
import { type Plan } from './plan.js';

/** One source file. */
export interface Source {
  readonly path: string;
  /** Relative to the folder of sources. */
  readonly relativePath: string;
  /** Without its imports, which are no part of the language. */
  readonly text: string;
  /** Imported from a package. */
  readonly isExternal: boolean;
}

/** An error and the source that it is in; undefined: an error without a place. */
export interface Problem {
  readonly source: Source | undefined;
  /** Its span is that of `source`. */
  readonly error: CompileError;
}

export interface ReadSources {
  /** By path; imported ones before the first file that imports them. */
  readonly sources: readonly Source[];
  readonly problems: readonly Problem[];
  /** Folders where a new or changed file may change the result. */
  readonly folders: readonly string[];
}

const importStatement = /^import "([^"./]+\/[^"]+)"/gm;
const leftImport = /^import ".*/m;
const standard = 'std/';

/** Packages of this folder that contain the sources imported as `std/...`: those of the public SDK. */
const standardPackages = (packages: string): string[] =>
  existsSync(packages)
    ? readdirSync(packages)
        .filter((name) => name.startsWith('@'))
        .map((scope) => join(packages, scope, 'web3'))
    : [];

/** The file of an import, in `node_modules` of the folder or of one above it. */
const importedFile = (name: string, folder: string): string | undefined => {
  const file = name.endsWith('.ral') ? name : `${name}.ral`;
  for (let at = folder; ; at = dirname(at)) {
    const packages = join(at, 'node_modules');
    const roots = file.startsWith(standard) ? standardPackages(packages) : [packages];
    const found = roots.map((root) => join(root, file)).find((path) => existsSync(path));
    if (found !== undefined || at === dirname(at)) return found;
  }
};

/** Source files and folders below a folder, by path. Skips hidden folders and packages. */
const sourceTree = (folder: string): { readonly files: string[]; readonly folders: string[] } => {
  const files: string[] = [];
  const folders = [folder];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
      const below = sourceTree(path);
      files.push(...below.files);
      folders.push(...below.folders);
    } else if (entry.isFile() && entry.name.endsWith('.ral')) {
      files.push(path);
    }
  }
  return { files, folders };
};

class SourceReader {
  readonly sources: Source[] = [];
  readonly problems: Problem[] = [];
  private readonly read = new Set<string>();

  constructor(private readonly sourceFolder: string) {}

  add(path: string, isExternal: boolean): void {
    if (this.read.has(path)) return;
    this.read.add(path);
    const written = readFileSync(path, 'utf8');
    const text = written.replace(importStatement, '');
    const source = { path, relativePath: relative(this.sourceFolder, path), text, isExternal };
    const shown = { ...source, text: written };
    const refuse = (message: string, start: number, length: number): void => {
      const error = new CompileError({ message, span: { start, end: start + length } });
      this.problems.push({ source: shown, error });
    };
    const wrong = leftImport.exec(text);
    if (wrong) {
      refuse('An import names a package and a file in it: import "package/file"', written.indexOf(wrong[0]), 6);
    }
    for (const { 0: statement, 1: name, index } of written.matchAll(importStatement)) {
      const file = importedFile(name!, isExternal ? dirname(path) : this.sourceFolder);
      if (file === undefined) refuse(`No package has the imported file: ${name}`, index, statement.length);
      else this.add(file, true);
    }
    this.sources.push(source);
  }
}

/**
 * Reads the sources of a plan and the files that they import.
 *
 * @throws Error of the file system
 */
export const readSources = ({ files, sourceFolder }: Plan): ReadSources => {
  const tree = files ? { files, folders: files.map(dirname) } : sourceTree(sourceFolder);
  const reader = new SourceReader(sourceFolder);
  for (const path of tree.files) reader.add(path, false);
  const { sources, problems } = reader;
  const folders = new Set([...tree.folders, ...sources.map(({ path }) => dirname(path))]);
  return { sources, problems, folders: [...folders] };
};
