/**
 * Files that an app runs with: follows the imports of its built main.js (static and dynamic ones, and the scripts of worker threads)
 * through our own libraries to the packages, and those through their package.json. A tool that only builds or tests is met
 * nowhere, so nobody has to keep a list.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';

/** The project folder. */
export const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));

/** The package.json of a folder. */
export const readPackage = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folder of a package as Node finds it from another folder; undefined when it is not installed. */
const findPackage = (name, from) => {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
};

const packageName = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The file that a door of our own libraries leads to. */
const doorOf = (specifier) => {
  const name = packageName(specifier);
  const folder = realpathSync(findPackage(name, root));
  const door = `.${specifier.slice(name.length)}`;
  const { exports } = readPackage(folder);
  const target = exports[door]?.default ?? exports['./*'].default.replace('*', door.slice(2));
  return join(folder, target);
};

const workerScript = /new URL\('(\.{1,2}\/[^']+\.js)', import\.meta\.url\)/g;

/** Files and folders that are read when they are needed. */
const readByAddress = /new URL\('(\.{1,2}\/[^']+(?:\/|\.md))', import\.meta\.url\)/g;

/** Where a package's files are asked for by name. */
const askedFor = /\.resolve\('([^']+)'\)/g;

const importedBy = (text) => typescript.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

/** Imports of a built file, its own worker scripts and packages whose files it reads among it. */
const importsOf = (file) => {
  const text = readFileSync(file, 'utf8');
  const named = [workerScript, askedFor].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name));
  return [...importedBy(text), ...named];
};

/** All built files of ours that are reached from one, and the names of the packages that they import. */
const reach = (main) => {
  const files = new Set();
  const packages = new Set();
  const waiting = [main];
  while (waiting.length > 0) {
    const file = waiting.pop();
    if (files.has(file) || !existsSync(file)) continue;
    files.add(file);
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) waiting.push(join(dirname(file), specifier));
      else if (specifier.startsWith('@shardnode/')) waiting.push(doorOf(specifier));
      else if (!specifier.startsWith('node:')) packages.add(packageName(specifier));
    }
  }
  return { files, packages };
};

/** The files and folders that these files read by address. */
const readBy = (files) =>
  [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(readByAddress)].map(([, address]) => join(dirname(file), address)),
  );

const isSource = (name) => /\.tsx?$/.test(name) && !name.includes('.spec.');

/** The names of the packages that the page of an owner is bundled from. */
const bundledBy = (owner) => {
  const folder = join(root, owner, 'web');
  const sources = readdirSync(folder, { recursive: true }).filter(isSource);
  const specifiers = sources.flatMap((name) => importedBy(readFileSync(join(folder, name), 'utf8')));
  return specifiers.filter((specifier) => !specifier.startsWith('.')).map(packageName);
};

const neededBy = ({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) => [
  ...Object.keys(dependencies),
  ...Object.keys(optionalDependencies),
  ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
];

/** Stands in for packages that `overrides` of package.json keep out: docs/security.md, supply chain. */
const isStandIn = (folder) => readPackage(folder).name === 'empty-npm-package';

/** The folders of these packages and of all that they need. */
const withDependencies = (names) => {
  const folders = new Set();
  const waiting = [...names].map((name) => ({ name, from: root }));
  while (waiting.length > 0) {
    const { name, from } = waiting.pop();
    const folder = findPackage(name, from);
    if (folder === undefined || folders.has(folder) || isStandIn(folder)) continue;
    folders.add(folder);
    for (const next of neededBy(readPackage(folder))) waiting.push({ name: next, from: folder });
  }
  return folders;
};

/**
 * Content of an image of an app.
 * - `files`: built files of ours
 * - `read`: files and folders that those read when they are needed, such as pages for browsers
 * - `owners`: our apps and libraries that the files belong to, as `libs/core`
 * - `imported`: folders of the packages that our files import, those of a page among them
 * - `packages`: folders of the packages that the process loads, with all that they need
 * - `bundled`: folders of the packages that are part of a page
 */
export const contentsOf = (app) => {
  const { files, packages } = reach(join(root, 'apps', app, 'dist', 'main.js'));
  const read = readBy(files).map((path) => path.replace(/\/$/, ''));
  const owners = new Set([...files].map((file) => relative(root, file).split(sep).slice(0, 2).join(sep)));
  const bundled = [...owners].filter((owner) => read.includes(join(root, owner, 'dist', 'web'))).flatMap(bundledBy);
  return {
    files,
    read,
    owners,
    imported: [...packages, ...bundled].map((name) => findPackage(name, root)).filter(Boolean),
    packages: withDependencies(packages),
    bundled: withDependencies(bundled),
  };
};
