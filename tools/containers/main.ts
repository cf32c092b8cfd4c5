import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildBaseImages, fullName, servicesWithoutImage } from './base-images.js';
import { ContainersFailure, readComposeFile } from './compose-file.js';
import { hasDocker, obstacle, openEngine, type Engine } from './engine.js';
import { buildImages, builtImages, imageBytes } from './images.js';
import { ContainerNetwork } from './network.js';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

const usage = `npm run containers -- COMMAND [options]

Builds the images of Dockerfile and runs the network of docker-compose.yml with podman, for machines without a Docker engine
and without a registry of images (with Docker: docker compose up --build). Debian or Ubuntu, as root.

  base      stand-ins for the images of a registry (node, postgres, nats, redis, prometheus) from Debian's packages
  build     the images of the apps; makes the base first
  up        starts the network and waits until every service is healthy
  status    memory of the containers, sizes of the images
  logs      what the containers have written
  stop      stops in order; data stay
  down      stops and removes the containers; data stay
  day       the exchange's day, and a restart on the volumes, against containers of their own

  --profile NAME   of docker-compose.yml: observability
  --project NAME   prefix of the names, default: that of the file
  --volumes        with down: the data and the credentials, too
  --again          with base: also those that are there
  --help           this text

Variables of docker-compose.yml (API_PORT, MINING ...) are taken from the environment. Images and data are in CONTAINERS_FOLDER,
default ~/.cache/shardnode/containers.`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Given {
  readonly engine: Engine;
  readonly profiles: readonly string[];
  readonly project: string | undefined;
  readonly volumes: boolean;
  readonly again: boolean;
}

const networkOf = ({ engine, profiles, project }: Given): ContainerNetwork => {
  const file = readComposeFile(projectFolder, process.env);
  const leftOut = servicesWithoutImage(projectFolder, file);
  return new ContainerNetwork({
    engine,
    projectFolder,
    profiles,
    leftOut,
    print,
    variables: process.env,
    ...(project === undefined ? {} : { project }),
  });
};

const makeBase = ({ engine, again }: Given): Promise<void> =>
  buildBaseImages(engine, { projectFolder, file: readComposeFile(projectFolder, process.env), again, print });

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Those of `names`, default all. */
const build = async (given: Given, names?: readonly string[]): Promise<void> => {
  await makeBase({ ...given, again: false });
  const made = await buildImages(given.engine, {
    projectFolder,
    file: readComposeFile(projectFolder, process.env),
    onText: (text) => void process.stderr.write(text),
    ...(names ? { names } : {}),
  });
  for (const { image, seconds, bytes } of made)
    print(`${image.padEnd(34)} ${megabytes(bytes).padStart(8)}  built in ${seconds.toFixed(0)} s`);
};

const buildMissing = async (given: Given): Promise<void> => {
  const missing: string[] = [];
  for (const image of builtImages(readComposeFile(projectFolder, process.env)).keys())
    if ((await given.engine.try(['image', 'exists', fullName(image)])).code !== 0) missing.push(image);
  if (missing.length > 0) await build(given, missing);
};

const up = async (given: Given): Promise<void> => {
  await networkOf(given).up();
  print(`API http://127.0.0.1:${process.env['API_PORT'] || '12973'}, documentation at /docs`);
  print(`Explorer http://127.0.0.1:${process.env['EXPLORER_PORT'] || '19091'}, documentation at /docs`);
};

const status = async (given: Given): Promise<void> => {
  for (const { name, memory } of await networkOf(given).memory()) print(`${name.padEnd(34)} ${memory.padStart(24)}`);
  for (const image of builtImages(readComposeFile(projectFolder, process.env)).keys())
    print(`${image.padEnd(34)} ${megabytes(await imageBytes(given.engine, image)).padStart(24)}`);
};

/**
 * Tests that start containers of their own, under another name and on other ports than those of `up`. Further words are the
 * test runner's. With LONG=1 on a machine that cannot run containers they say so and are skipped.
 */
const day = async (words: readonly string[]): Promise<void> => {
  const mayBeSkipped = process.env['LONG'] === '1';
  if (!mayBeSkipped || obstacle() === undefined)
    await buildMissing({ engine: openEngine(), profiles: [], project: undefined, volumes: false, again: false });
  const jest = ['--no-warnings', '--experimental-vm-modules', join(projectFolder, 'node_modules/jest/bin/jest.js')];
  const sizes = ['--selectProjects', 'e2e', 'networks'];
  const wanted = ['--testPathPatterns=e2e/(exchange-day|nightly/compose-run)', '--runInBand', '--forceExit', ...words];
  const { status: code } = spawnSync(process.execPath, [...jest, ...sizes, ...wanted], {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, ...(mayBeSkipped ? {} : { CONTAINERS: '1' }), DEPLOYMENT: 'compose' },
  });
  process.exitCode = code ?? 1;
};

const commands: Readonly<Record<string, (given: Given) => Promise<unknown> | void>> = {
  base: makeBase,
  build: (given) => build(given),
  up,
  status,
  logs: async (given) => print(await networkOf(given).log()),
  stop: (given) => networkOf(given).stop(),
  down: (given) => networkOf(given).down(given.volumes),
};

const run = async (): Promise<void> => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === 'day') return day(rest);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'string', multiple: true, default: [] },
      project: { type: 'string' },
      volumes: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [name = ''] = positionals;
  if (values.help) return print(usage);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new ContainersFailure(`There is no command ${JSON.stringify(name)}.\n\n${usage}`);
  if (hasDocker()) print('A Docker engine answers here: docker compose up --build does the same with the real images.');
  const { profile: profiles, project, volumes, again } = values;
  await command({ engine: openEngine(), profiles, project, volumes, again });
};

try {
  await run();
} catch (error) {
  const isOurs = error instanceof ContainersFailure || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${isOurs ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
}
