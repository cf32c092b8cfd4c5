/**
 * What an app runs with, and nothing else: node docker/collect.mjs APP FOLDER
 *
 * Follows the imports of its built main.js (static and dynamic ones, and the scripts of worker threads) through our own
 * libraries to the packages, and those through their package.json; copies what it meets. A tool that only builds or tests is
 * met nowhere, so it is not in the image, and nobody has to keep a list of what is.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));

/** For people, compilers and other platforms. */
const unusedExtensions = new Set(['.map', '.ts', '.cts', '.mts', '.md', '.markdown', '.flow', '.tsbuildinfo']);
const unusedFolders = new Set(['test', 'tests', '__tests__', 'docs', 'example', 'examples', 'benchmark', 'benchmarks']);

/** What is in a package and is used by none of the apps as processes. Paths in the package. */
const unusedParts = {
  // The database of `npm start`: its code is loaded with the kit, its engine is not.
  '@electric-sql/pglite': (path) => path.startsWith('dist/') && !path.endsWith('.js'),
  // Query compilers of other databases, and the large build of ours.
  '@prisma/client': (path) => /^runtime\/query_compiler_(fast|.*\.(cockroachdb|mysql|sqlite|sqlserver)\.)/.test(path),
  // C sources; binaries of other platforms.
  secp256k1: (path) => /^(src|binding\.gyp)/.test(path) || /^prebuilds\/(?!linux)/.test(path),
  // The documentation page takes one bundle and its licences.
  'swagger-ui-dist': (path) => !/^(package\.json$|swagger-ui-bundle\.js|NOTICE$)/.test(path),
};

const readPackage = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

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

/** What a built file imports, its own worker scripts and packages whose files it reads among it. */
const importsOf = (file) => {
  const text = readFileSync(file, 'utf8');
  const { importedFiles } = typescript.preProcessFile(text, true, true);
  const named = [workerScript, askedFor].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name));
  return [...importedFiles.map(({ fileName }) => fileName), ...named];
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

/** The folders of these packages and of all that they need. */
const withDependencies = (names) => {
  const folders = new Set();
  const waiting = [...names].map((name) => ({ name, from: root }));
  while (waiting.length > 0) {
    const { name, from } = waiting.pop();
    const folder = findPackage(name, from);
    if (folder === undefined || folders.has(folder)) continue;
    folders.add(folder);
    for (const next of neededBy(readPackage(folder))) waiting.push({ name: next, from: folder });
  }
  return folders;
};

const isUsed = (name, path) => {
  const parts = path.split(sep);
  if (parts.length > 1 && unusedFolders.has(parts[0])) return false;
  if (/^licen[cs]e/i.test(basename(path))) return true;
  return !unusedExtensions.has(extname(path)) && !(unusedParts[name]?.(path) ?? false);
};

const copyPackage = (folder, target) => {
  const { name } = readPackage(folder);
  cpSync(folder, target, {
    recursive: true,
    // Packages inside are copied for themselves, if they are needed.
    filter: (source) => {
      const path = relative(folder, source);
      if (path === '') return true;
      if (basename(source) === 'node_modules') return false;
      return statSync(source).isDirectory() ? !unusedFolders.has(path) : isUsed(name, path);
    },
  });
};

const copyFile = (file, folder) => {
  const target = join(folder, relative(root, file));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
};

const sizeOf = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size;

const [app, folder] = process.argv.slice(2);
if (app === undefined || folder === undefined) throw new Error('node docker/collect.mjs APP FOLDER');

const { files, packages } = reach(join(root, 'apps', app, 'dist', 'main.js'));
for (const file of files) {
  copyFile(file, folder);
  for (const [, address] of readFileSync(file, 'utf8').matchAll(readByAddress)) {
    const path = join(dirname(file), address);
    cpSync(path, join(folder, relative(root, path)), { recursive: true });
  }
}
const owners = new Set([...files].map((file) => relative(root, file).split(sep).slice(0, 2).join(sep)));
for (const owner of owners) {
  copyFile(join(root, owner, 'package.json'), folder);
  const prisma = join(root, owner, 'prisma');
  if (existsSync(prisma)) cpSync(prisma, join(folder, owner, 'prisma'), { recursive: true });
  const { name } = readPackage(join(root, owner));
  mkdirSync(join(folder, 'node_modules', '@shardnode'), { recursive: true });
  // A link: the package is where it is in the project.
  symlinkSync(join('..', '..', owner), join(folder, 'node_modules', name));
}
copyFile(join(root, 'package.json'), folder);
const folders = withDependencies(packages);
for (const each of folders) copyPackage(each, join(folder, relative(root, each)));
const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
console.log(
  `${app}: ${files.size} files of ours, ${folders.size} packages, ${megabytes(sizeOf(join(folder, 'node_modules')))} MiB of packages`,
);
