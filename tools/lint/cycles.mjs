/** Import cycles between files of one project. Imports of types count, too: a reader follows them like the others. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const importForm = /^(?:import|export)\s+[^;]*?\s*from\s+'(\.{1,2}\/[^']+)\.js'/gm;

/** Relative files that a file imports, without endings. */
export const importsOf = (file, text) =>
  [...text.matchAll(importForm)].map(([, target]) => resolve(dirname(file), `${target}.ts`));

/** The cycles among the files, each once, as a list of files; `read` gives a file's text. */
export const findCycles = (files, read = (file) => readFileSync(file, 'utf8')) => {
  const known = new Set(files);
  const done = new Set();
  const cycles = [];
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0) return void cycles.push([...path.slice(at), file]);
    if (done.has(file) || !known.has(file)) return;
    for (const next of importsOf(file, read(file))) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
};
