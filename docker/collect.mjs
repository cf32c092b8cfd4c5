/**
 * Copies what an app runs with (contents.mjs), and nothing else, with the bill of materials of its image:
 * node docker/collect.mjs APP FOLDER
 */
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { contentsOf, readPackage, root } from './contents.mjs';
import { baseComponents, billOfMaterials, billText } from './sbom.mjs';

/** For people, compilers and other platforms. */
const unusedExtensions = new Set(['.map', '.ts', '.cts', '.mts', '.md', '.markdown', '.flow', '.tsbuildinfo']);
const unusedFolders = new Set(['test', 'tests', '__tests__', 'docs', 'example', 'examples', 'benchmark', 'benchmarks']);

/** Files of a package that no app uses as a process. Paths in the package. */
const unusedParts = {
  // The database of `npm start`: its code is loaded with the kit, its engine is not.
  '@electric-sql/pglite': (path) => path.startsWith('dist/') && !path.endsWith('.js'),
  // Query compilers of other databases, and the large build of ours.
  '@prisma/client': (path) => /^runtime\/query_compiler_(fast|.*\.(cockroachdb|mysql|sqlite|sqlserver)\.)/.test(path),
  // C sources, the JavaScript that the addon is not to be replaced by, binaries of other platforms.
  secp256k1: (path) => /^(src|binding\.gyp|elliptic|lib\/elliptic)/.test(path) || /^prebuilds\/(?!linux)/.test(path),
  // The documentation page takes one bundle and its licences.
  'swagger-ui-dist': (path) => !/^(package\.json$|swagger-ui-bundle\.js|NOTICE$)/.test(path),
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

const contents = contentsOf(app);
const { files, read, owners, packages } = contents;
for (const file of files) copyFile(file, folder);
for (const path of read) cpSync(path, join(folder, relative(root, path)), { recursive: true });
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
writeFileSync(join(folder, 'sbom.cdx.json'), billText(billOfMaterials(app, contents, baseComponents())));
for (const each of packages) copyPackage(each, join(folder, relative(root, each)));
const megabytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
console.log(
  `${app}: ${files.size} files of ours, ${packages.size} packages, ${megabytes(sizeOf(join(folder, 'node_modules')))} MiB of packages`,
);
