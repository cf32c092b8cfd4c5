import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** Default data folder of a local cluster. */
export const usualClusterFolder = 'data/cluster';

/** A command line of the operator's program for a local cluster. */
export const operatorCommand = (folder: string, ...words: readonly string[]): string => {
  const isUsual = resolve(folder) === resolve(usualClusterFolder);
  return ['npm run operator --', ...words, ...(isUsual ? [] : ['--cluster', folder])].join(' ');
};

const form = z.object({
  /** Whether the servers run only while the cluster runs. */
  ownServers: z.boolean(),
  /**
   * Settings of the operator's program by variable name; an empty one is not set. A secret is included only as the name
   * of its file.
   */
  variables: z.record(z.string(), z.string()),
});

/** Access of the operator's program to a local cluster. */
export type ClusterFile = z.output<typeof form>;

const pathOf = (folder: string): string => join(folder, 'cluster.json');

/** Replaces the file of a data folder atomically; only its owner can read it. */
export const writeClusterFile = (folder: string, content: ClusterFile): void => {
  const fresh = `${pathOf(folder)}.new`;
  writeFileSync(fresh, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, pathOf(folder));
};

/** Undefined if no cluster has ever been ready in this data folder. @throws ZodError, SyntaxError for a damaged file */
export const readClusterFile = (folder: string): ClusterFile | undefined => {
  const path = pathOf(folder);
  return existsSync(path) ? form.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
};
