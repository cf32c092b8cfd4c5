import { existsSync } from 'node:fs';
import { fullName } from './base-images.js';
import { ContainersFailure, type ComposeFile } from './compose-file.js';
import { type Engine } from './engine.js';

/** Images that the file builds, and the target of the Dockerfile of each; each once. */
export const builtImages = (file: ComposeFile): ReadonlyMap<string, string> =>
  new Map(Object.values(file.services).flatMap(({ image, build }) => (build ? [[image, build.target] as const] : [])));

/** Certificates that this machine trusts, for a registry that is reached through a proxy. In the build as a secret only. */
const certificateFiles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/cert.pem'];

const secretOptions = (): string[] => {
  const certificates = process.env['NODE_EXTRA_CA_CERTS'] ?? certificateFiles.find((file) => existsSync(file));
  return certificates === undefined ? [] : [`--secret=id=certificates,src=${certificates}`];
};

export interface BuiltImage {
  readonly image: string;
  readonly seconds: number;
  readonly bytes: number;
}

/** @throws ContainersFailure where it is not there */
export const imageBytes = async (engine: Engine, image: string): Promise<number> => {
  const [found] = await engine.json<{ readonly Size: number }[]>(['image', 'inspect', fullName(image)]);
  if (!found) throw new ContainersFailure(`The image ${image} is missing`);
  return found.Size;
};

/** Builds the images of the file from the Dockerfile, with the network of this machine. */
export const buildImages = async (
  engine: Engine,
  options: {
    readonly projectFolder: string;
    readonly file: ComposeFile;
    readonly onText: (text: string) => void;
    /** Default: all of the file. */
    readonly names?: readonly string[];
  },
): Promise<readonly BuiltImage[]> => {
  const { projectFolder, file, onText, names } = options;
  const made: BuiltImage[] = [];
  for (const [image, target] of builtImages(file)) {
    if (names && !names.includes(image)) continue;
    const began = performance.now();
    const words = ['--format=docker', '--network=host', '--pull=never', ...secretOptions(), `--target=${target}`];
    await engine.run(['build', ...words, `--tag=${fullName(image)}`, projectFolder], { onText });
    const seconds = (performance.now() - began) / 1000;
    made.push({ image, seconds, bytes: await imageBytes(engine, image) });
  }
  return made;
};
