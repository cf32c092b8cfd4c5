/**
 * Steps of `npm ci` after installing: Prisma clients (for schemas that need one), the build, the explorer's web page, and a
 * database cluster with all schemas, so that the first `npm start` takes tenths of a second instead of some seconds. Skips each step
 * whose result is up to date. Does nothing with production dependencies only, because images contain the build.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamps = join(root, 'node_modules', '.cache', 'shardnode');

/** Schemas of the two embedded databases and the service whose migrations make each: chain with wallets, and index. */
const clusters = {
  'prepared-cluster': [0, 1, 2, 3]
    .map((group) => [`group_${group}`, 'group-node'])
    .concat([['wallet', 'wallet-service']]),
  'prepared-index': [['explorer', 'explorer']],
};

/** Workspaces share one node_modules. */
const packageFile = (name) => join(root, 'node_modules', name, 'package.json');
const hashOf = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex');
const stampOf = (name) => (existsSync(join(stamps, name)) ? readFileSync(join(stamps, name), 'utf8') : undefined);
const setStamp = (name, value) => {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), value);
};

/** Runs a program; shows its output only if it fails. */
const run = (what, args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  console.error(`${what} failed:\n${stdout}${stderr}`);
  process.exit(1);
};

const generateClients = () => {
  for (const app of readdirSync(join(root, 'apps'))) {
    const file = join(root, 'apps', app, 'prisma', 'schema.prisma');
    if (!existsSync(file)) continue;
    const schema = readFileSync(file, 'utf8');
    if (!/^generator client/m.test(schema)) continue;
    const stamp = hashOf(schema, readFileSync(packageFile('prisma'), 'utf8'));
    const generated = join(root, 'apps', app, 'src', 'generated', 'prisma');
    if (existsSync(generated) && stampOf(`prisma-${app}`) === stamp) continue;
    run(`prisma generate for ${app}`, [join(root, 'tools', 'prisma-clients.mjs'), app]);
    setStamp(`prisma-${app}`, stamp);
  }
};

/** Builds all apps with their libraries, without tests. */
const build = () => {
  const apps = readdirSync(join(root, 'apps')).map((app) => join(root, 'apps', app, 'tsconfig.lib.json'));
  const tsc = join(dirname(packageFile('typescript-7')), 'bin', 'tsc');
  run('tsc --build', [tsc, '--build', ...apps.filter(existsSync)]);
};

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/** The explorer's page for browsers. */
const buildPage = () => {
  const [web, built] = [join(root, 'apps', 'explorer', 'web'), join(root, 'apps', 'explorer', 'dist', 'web')];
  const packages = ['vite', 'preact', '@preact/signals', 'lean-qr', 'd3-hierarchy'].map(packageFile);
  const rules = filesBelow(join(root, 'libs', 'protocol', 'dist')).filter((file) => file.endsWith('.js'));
  const sources = [...filesBelow(web).filter((file) => !file.endsWith('.spec.ts')), ...rules];
  const stamp = hashOf(...[...packages, ...sources].flatMap((file) => [file, readFileSync(file, 'utf8')]));
  if (existsSync(join(built, 'index.html')) && stampOf('explorer-page') === stamp) return;
  const vite = join(dirname(packageFile('vite')), 'bin', 'vite.js');
  run('vite build of the page', [vite, 'build', web]);
  setStamp('explorer-page', stamp);
};

const migrationsOf = (app) => {
  const folder = join(root, 'apps', app, 'prisma', 'migrations');
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'migration.sql')));
  return names.sort().map((name) => readFileSync(join(folder, name, 'migration.sql'), 'utf8'));
};

/** Writes the archive of a cluster; localnet unpacks it into an empty folder. */
const prepareCluster = async (name, schemas) => {
  const file = join(root, 'apps', 'localnet', 'dist', `${name}.tar.gz`);
  const apps = [...new Set(schemas.map(([, app]) => app))];
  const stamp = hashOf(
    readFileSync(packageFile('@electric-sql/pglite'), 'utf8'),
    readFileSync(packageFile('@prisma/schema-engine-wasm'), 'utf8'),
    JSON.stringify(schemas),
    ...apps.flatMap(migrationsOf),
  );
  if (existsSync(file) && stampOf(name) === stamp) return;
  const door = pathToFileURL(join(root, 'libs', 'core', 'dist', 'database', 'index.js')).href;
  const database = await import(door);
  const archive = await database.prepareCluster(async (service) => {
    for (const [schema, app] of schemas) {
      const prisma = join(root, 'apps', app, 'prisma');
      await service(schema).migrate({ folder: join(prisma, 'migrations'), schemaFile: join(prisma, 'schema.prisma') });
    }
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.partial`, archive);
  renameSync(`${file}.partial`, file);
  setStamp(name, stamp);
};

if (['typescript-7', 'vite', '@types/node', '@types/pg'].every((name) => existsSync(packageFile(name)))) {
  generateClients();
  build();
  buildPage();
  for (const [name, schemas] of Object.entries(clusters)) await prepareCluster(name, schemas);
}
