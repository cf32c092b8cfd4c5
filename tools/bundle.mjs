/**
 * Makes the bundles of the programs that are started often, from the build: node tools/bundle.mjs
 *
 * What a start costs is finding, opening and linking 1,700 modules; in a few files they are there in a third of the time.
 * A program uses its bundle when nothing that went into it has changed since (`libs/core/src/bundle`), so a build without this
 * is never wrong, only slower to start.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Programs, and the modules that they start with. */
const programs = {
  'group-node': ['serve'],
  gateway: ['serve'],
  'wallet-service': ['serve'],
  localnet: ['serve'],
  operator: ['run'],
};

/** Packages that look for files beside themselves, or that Nest would load if they were installed. */
const external = [
  'reflect-metadata',
  'secp256k1',
  'tiny-secp256k1',
  '@electric-sql/pglite',
  '@prisma/client',
  '@prisma/schema-engine-wasm',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
];

/** What is imported when it is needed stays where it is: a CommonJS package in a bundle would give nothing by name. */
const leaveOptional = {
  name: 'packages that are loaded when they are needed',
  setup: (build) =>
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && !/^(@nestjs|@shardnode)\//.test(path) ? { path, external: true } : undefined,
    ),
};

/** Our modules find files beside themselves by their address: it stays that of the build. */
const keepAddresses = (folder) => ({
  name: 'addresses of our modules',
  setup: (build) =>
    build.onLoad({ filter: /[\\/](libs|apps)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', address), loader: 'js' };
    }),
});

/** CommonJS modules ask for Node's own by `require`; Nest's decorators want `Reflect` complete before the first class. */
const banner = [
  'const __function = (target) => target;',
  "import 'reflect-metadata';",
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  'const require = createRequireOfBundle(import.meta.url);',
].join('\n');

/**
 * The bundler gives every function its name again whenever it is made, also the smallest in the hottest path, which took a fifth
 * of the requests per second. Names of classes are what is asked for.
 */
const nameClassesOnly = (text) => text.replaceAll(/\b__name\((?!this,)/g, '__function(');

/** The file whose change tells that of a module: of a package its description. */
const witness = (path) => {
  const [, folder] = /^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? [];
  return folder === undefined ? path : join(folder, 'package.json');
};

const bundle = async (esbuild, app) => {
  const dist = join(root, 'apps', app, 'dist');
  const folder = join(dist, 'bundle');
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: programs[app].map((name) => join(dist, `${name}.js`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Nest knows classes by their names, and some packages say wrongly that loading them has no effect.
    keepNames: true,
    ignoreAnnotations: true,
    banner: { js: banner },
    external,
    plugins: [leaveOptional, keepAddresses(folder)],
    write: false,
    logLevel: 'warning',
  });
  return { folder, metafile, outputFiles };
};

const dayMs = 86_400_000;

/** Each file as a whole or not at all; parts that a running program may still load stay for a day. */
const write = (folder, files, inputs) => {
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, 'inputs.json'), { force: true });
  const all = [...files.map(({ path, text }) => [path, nameClassesOnly(text)]), [join(folder, 'inputs.json'), inputs]];
  for (const [path, contents] of all) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  const kept = new Set(all.map(([path]) => path));
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    if (!kept.has(path) && statSync(path).mtimeMs < Date.now() - dayMs) rmSync(path);
  }
};

/** `[path from the folder, time of change, length]` of all that went into it. */
const inputsOf = (folder, metafile) => {
  const paths = Object.keys(metafile.inputs).map((path) => resolve(root, path));
  return [...new Set(paths.map(witness))].map((path) => {
    const { mtimeMs, size } = statSync(path);
    return [relative(folder, path), mtimeMs, size];
  });
};

/** The program would start from its bundle, which this very tool has made. */
const isFresh = (bundleOf, app) => {
  const dist = join(root, 'apps', app, 'dist');
  if (bundleOf(pathToFileURL(join(dist, 'main.js')).href, programs[app][0]) === undefined) return false;
  return statSync(join(dist, 'bundle/inputs.json')).mtimeMs >= statSync(fileURLToPath(import.meta.url)).mtimeMs;
};

/** Bundles what has changed. Without the bundler (production dependencies only) nothing is done. */
export const bundlePrograms = async () => {
  // Of the build, which is there by now.
  const { bundleOf } = await import('../libs/core/dist/bundle/index.js');
  const stale = Object.keys(programs).filter((app) => !isFresh(bundleOf, app));
  if (stale.length === 0 || !existsSync(join(root, 'node_modules/esbuild/package.json'))) return;
  const esbuild = await import('esbuild');
  for (const app of stale) {
    const began = Date.now();
    const { folder, metafile, outputFiles } = await bundle(esbuild, app);
    const inputs = inputsOf(folder, metafile);
    // A build that goes on meanwhile: the program starts from the modules until the next bundling.
    if (inputs.some(([, changedMs]) => changedMs >= began)) continue;
    write(folder, outputFiles, JSON.stringify(inputs));
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePrograms();
