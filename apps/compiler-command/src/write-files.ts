import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { artifactsOfProjectFile, type Files, projectFileOf } from './artifacts.js';
import { type Plan } from './plan.js';

const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/**
 * Writes files whose text has changed, and removes the artifacts of an earlier run whose definitions are gone.
 *
 * @throws Error of the file system
 */
export const writeFiles = (plan: Plan, files: Files): void => {
  const earlier = textOf(projectFileOf(plan));
  for (const path of earlier === undefined ? [] : artifactsOfProjectFile(plan, earlier)) {
    if (!files.has(path)) rmSync(path, { force: true });
  }
  for (const [path, text] of files) {
    if (textOf(path) === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
};
