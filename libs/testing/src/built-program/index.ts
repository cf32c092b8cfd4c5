import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { repository } from '../source-process/index.js';

/** The compiler of the build. */
export const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript-7/package.json')), 'bin', 'tsc');

/** The folders of what `tsc --build` of this configuration would compile: sources differ from those of the last build. */
export const unbuiltProjects = (configuration: string): readonly string[] => {
  const words = [tsc, '--build', '--dry', configuration];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc ${words.slice(1).join(' ')} failed:\n${stdout}`);
  return [...stdout.matchAll(/would build project '(.*)\/[^/]+'/g)].map(([, folder]) => folder!);
};

const checked = new Set<string>();
const checkBuild = (app: string): void => {
  // Nx builds before its other targets, and names the target in this variable.
  if (checked.has(app) || process.env['NX_TASK_TARGET_TARGET'] !== undefined) return;
  const unbuilt = unbuiltProjects(join(repository, 'apps', app, 'tsconfig.lib.json'));
  if (unbuilt.length > 0) throw new Error(`build first (npm run build), there are changes in ${unbuilt.join(', ')}`);
  checked.add(app);
};

/**
 * The path of a built file of an app, which a test starts as a process or a thread: `builtProgram('gateway')`.
 * @param file below `dist`
 * @throws when sources of the app, or of a library that it imports, have changed since the build
 */
export const builtProgram = (app: string, file = 'main.js'): string => {
  checkBuild(app);
  return join(repository, 'apps', app, 'dist', file);
};
