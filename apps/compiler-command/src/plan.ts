import { statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './usage.js';

/** Where sources are read and artifacts written; all paths are absolute. */
export interface Plan {
  /** Chosen source files; undefined: all below `sourceFolder`. */
  readonly files: readonly string[] | undefined;
  /** Paths in the project file and of artifacts are relative to it. */
  readonly sourceFolder: string;
  readonly artifactFolder: string;
  /** Where the tools of the SDK look for the project file: the folder of the project, if there is one. */
  readonly projectFolder: string;
  readonly watch: boolean;
}

const sourcesName = 'contracts';
const artifactsName = 'artifacts';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** The deepest folder that contains all files. */
const commonFolder = (files: readonly string[]): string => {
  let folder = dirname(files[0]!);
  const contains = (file: string): boolean => file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  while (!files.every(contains)) folder = dirname(folder);
  return folder;
};

type Places = Pick<Plan, 'files' | 'sourceFolder'> & { readonly project?: string };

const placesOfFolder = (folder: string): Places => {
  const inner = join(folder, sourcesName);
  if (isFolder(inner)) return { files: undefined, sourceFolder: inner, project: folder };
  if (basename(folder) === sourcesName) return { files: undefined, sourceFolder: folder, project: dirname(folder) };
  return { files: undefined, sourceFolder: folder };
};

/** @throws UsageError */
const placesOf = (operands: readonly string[], from: string): Places => {
  const paths = (operands.length > 0 ? operands : ['.']).map((operand) => resolve(from, operand));
  if (paths.length === 1 && isFolder(paths[0]!)) return placesOfFolder(paths[0]!);
  operands.forEach((operand, i) => {
    if (isFolder(paths[i]!)) throw new UsageError(`${operand} is a folder: give one folder, or files.`);
    if (!isFile(paths[i]!)) throw new UsageError(`There is no file or folder ${operand}.`);
    if (!operand.endsWith('.ral')) throw new UsageError(`${operand} is no source: names of sources end in .ral.`);
  });
  const files = [...new Set(paths)];
  return { files, sourceFolder: commonFolder(files) };
};

const parsed = (words: readonly string[]) => {
  const options = {
    out: { type: 'string' },
    watch: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/**
 * The plan of the words of the command line; undefined: they ask for its help.
 *
 * @param from folder of relative paths
 * @throws UsageError
 */
export const planOf = (words: readonly string[], from: string): Plan | undefined => {
  const { values, positionals } = parsed(words);
  if (values.help) return undefined;
  if (values.out === '') throw new UsageError('--out needs a folder.');
  const { project, ...places } = placesOf(positionals, from);
  const artifactFolder = values.out === undefined ? join(project ?? from, artifactsName) : resolve(from, values.out);
  if (isFile(artifactFolder)) throw new UsageError(`--out must be a folder: ${artifactFolder} is a file.`);
  return { ...places, artifactFolder, projectFolder: project ?? artifactFolder, watch: values.watch ?? false };
};
