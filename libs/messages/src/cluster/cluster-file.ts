import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Data folder of a local cluster when nobody names another one. */
export const usualClusterFolder = 'data/cluster';

/** A command of the operator's program about a local cluster, as a person types it. */
export const operatorCommand = (folder: string, ...words: readonly string[]): string => {
  const isUsual = resolve(folder) === resolve(usualClusterFolder);
  return ['npm run operator --', ...words, ...(isUsual ? [] : ['--cluster', folder])].join(' ');
};

const form = z.object({
  /** The servers run only while the cluster does. */
  ownServers: z.boolean(),
  /**
   * Settings of the operator's program, by the name of the variable; an empty one is not set. A secret is there only as the name
   * of its file.
   */
  variables: z.record(z.string(), z.string()),
});

/** How the operator's program reaches a local cluster. */
export type ClusterFile = z.output<typeof form>;

const pathOf = (folder: string): string => join(folder, 'cluster.json');

/** Replaces the file of a data folder as a whole; only its owner can read it. */
export const writeClusterFile = (folder: string, content: ClusterFile): void => {
  const fresh = `${pathOf(folder)}.new`;
  writeFileSync(fresh, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, pathOf(folder));
};

/** Undefined when no cluster has ever been ready in this data folder. @throws ZodError, SyntaxError for a damaged file */
export const readClusterFile = (folder: string): ClusterFile | undefined => {
  const path = pathOf(folder);
  return existsSync(path) ? form.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
};
