/** TypeScript made into JavaScript, kept in a folder by what it was made of. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';
import { compilerOptions } from './compiler-options.mjs';

const folder = fileURLToPath(new URL('../../node_modules/.cache/compiled-sources/', import.meta.url));
const settings = JSON.stringify([swc.version, compilerOptions]);
mkdirSync(folder, { recursive: true });

const fileOf = (path, source) =>
  `${folder}${createHash('sha256').update(`${settings}\0${path}\0`).update(source).digest('hex')}`;

/** Other processes may do the same at the same time: each file is there as a whole or not at all. */
const write = (file, text) => {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
};

/** The JavaScript of a source file. */
export const compiled = (path) => {
  const source = readFileSync(path, 'utf8');
  const file = fileOf(path, source);
  if (existsSync(`${file}.js`)) return readFileSync(`${file}.js`, 'utf8');
  const { code, map } = swc.transformSync(source, {
    ...compilerOptions,
    filename: path,
    sourceMaps: true,
    swcrc: false,
  });
  write(`${file}.map`, map);
  write(`${file}.js`, code);
  return code;
};

/** The file with the source map of a source file that was compiled; undefined for any other. */
export const mapOfCompiled = (path) => {
  if (!path.endsWith('.ts') || !existsSync(path)) return undefined;
  const map = `${fileOf(path, readFileSync(path, 'utf8'))}.map`;
  return existsSync(map) ? map : undefined;
};
