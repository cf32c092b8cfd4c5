import { fileURLToPath } from 'node:url';

/** The folder of the repository: `@swc-node/register` reads the `tsconfig.json` of the folder in which Node starts. */
export const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Flags of Node that run a program from its TypeScript source. Start it with `cwd: repository`. */
export const sourceFlags: readonly string[] = [
  '--no-warnings',
  '--conditions=@shardnode/source',
  '--import',
  '@swc-node/register/esm-register',
];
