/** Node's way to modules, for the sources of this repository: TypeScript, and libraries by their source. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiled } from './compile.mjs';

const isOurs = (url) => url?.startsWith('file:') && !url.includes('/node_modules/');

/** The source of what an import names by the file that is made of it. */
const sourceOf = (specifier, parent) => {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !isOurs(parent)) return undefined;
  const source = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  return existsSync(fileURLToPath(source)) ? source.href : undefined;
};

export const resolve = async (specifier, context, next) => {
  const source = sourceOf(specifier, context.parentURL);
  if (source !== undefined) return { url: source, format: 'module', shortCircuit: true };
  if (!specifier.startsWith('@shardnode/')) return next(specifier, context);
  return next(specifier, { ...context, conditions: [...context.conditions, '@shardnode/source'] });
};

export const load = async (url, context, next) => {
  if (!isOurs(url) || !url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
};
