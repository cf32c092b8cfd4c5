/** Import cycles between files of one project. Imports of types alone are no cycle: nothing is left of them when it runs. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const importForm = /^(?:import|export)\s+(?!type\b)([^;]*?)\s*from\s+'(\.{1,2}\/[^']+)\.js'/gm;

/** Whether something of `{ type A, b }`, `* as c`, `d` or `*` remains at run time. */
const keepsValues = (clause) => {
  const braces = clause.match(/^\{([\s\S]*)\}$/);
  return !braces || braces[1].split(',').some((name) => name.trim() !== '' && !/^type\s/.test(name.trim()));
};

/** Relative files that a file imports, without endings. */
export const importsOf = (file, text) =>
  [...text.matchAll(importForm)]
    .filter(([, clause]) => keepsValues(clause))
    .map(([, , target]) => resolve(dirname(file), `${target}.ts`));

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
