/** The door of a program that starts; it imports nothing but Node's own modules, because all else is what a bundle spares. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a bundle was made of: files by their path from the bundle's folder, with time of change (ms) and length (bytes). */
export type BundleInputs = readonly (readonly [path: string, changedMs: number, bytes: number])[];

const isUnchanged = (folder: string, [path, changedMs, bytes]: BundleInputs[number]): boolean => {
  const found = statSync(join(folder, path), { throwIfNoEntry: false });
  return found?.mtimeMs === changedMs && found.size === bytes;
};

/**
 * The bundle of a program: the same modules in a few files, which Node loads in a third of the time that some 1,700 take
 * (`tools/bundle.mjs` makes it after the build). Undefined where there is none, and when the build or a package is another one
 * by now: then the modules themselves are to be loaded.
 *
 * @param program address of the built program that asks; its bundle is in `bundle/` beside it
 * @param name of the entry
 */
export const bundleOf = (program: string, name: string): string | undefined => {
  const folder = join(dirname(fileURLToPath(program)), 'bundle');
  try {
    const inputs = JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8')) as BundleInputs;
    if (!inputs.every((input) => isUnchanged(folder, input))) return undefined;
    return pathToFileURL(join(folder, `${name}.js`)).href;
  } catch {
    return undefined;
  }
};

/**
 * Loads an entry of a program: that of its bundle, or else the module itself.
 *
 * @param program address of the built program that asks
 * @param name of the entry
 * @param load imports the module (said in so many words where it is: tools that follow imports read them)
 */
export const loadProgram = async <Module>(
  program: string,
  name: string,
  load: () => Promise<Module>,
): Promise<Module> => {
  const bundle = bundleOf(program, name);
  return bundle === undefined ? load() : ((await import(bundle)) as Module);
};
