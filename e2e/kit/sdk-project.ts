import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from './child-process.js';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const installed = join(repository, 'node_modules');
const commandLine = realpathSync(join(installed, '@alephium/cli'));

/** The project of the token faucet, as one writes it for the public SDK. */
export const faucetProject = join(repository, 'e2e/fixtures/faucet');

/** A copy of that project with the published packages, in a folder of its own. */
export interface SdkProject {
  readonly folder: string;
  /** Runs the command line of the SDK. */
  commandLine(...args: readonly string[]): Promise<ProgramResult>;
  /** Runs a program of the project. */
  program(file: string): Promise<ProgramResult>;
  remove(): void;
}

interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The folder of a package as the command line has it, which may be another version than ours. */
const packageFolder = (name: string): string => {
  let folder = dirname(createRequire(join(commandLine, 'package.json')).resolve(name));
  while (!folder.endsWith(`node_modules/${name}`)) folder = dirname(folder);
  return folder;
};

/**
 * As `npm install` of the packages of one version makes it: the project and the command line share each of them.
 * No package is fetched.
 */
const linkPackages = (folder: string): void => {
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@alephium'), { recursive: true });
  symlinkSync(commandLine, join(packages, '@alephium/cli'));
  for (const name of ['@alephium/web3', '@alephium/web3-wallet'])
    symlinkSync(packageFolder(name), join(packages, name));
  for (const name of ['.bin', '@jest', '@types', 'ts-jest', 'ts-node', 'typescript'])
    symlinkSync(join(installed, name), join(packages, name));
};

export const openSdkProject = (nodeUrl: string): SdkProject => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-sdk-'));
  cpSync(faucetProject, folder, { recursive: true });
  linkPackages(folder);
  const environment = { NODE_URL: nodeUrl, npm_config_offline: 'true', FORCE_COLOR: '0' };
  const run = async (...args: readonly string[]): Promise<ProgramResult> => {
    const started = startProcess(process.execPath, args, environment, folder);
    const { code } = await started.ended;
    return { code, output: started.standardOutput(), errors: started.standardError() };
  };
  return {
    folder,
    commandLine: (...args) => run(join(folder, 'node_modules/@alephium/cli/cli.js'), ...args),
    program: (file) => run(join(folder, 'node_modules/ts-node/dist/bin.js'), '--swc', '--transpile-only', file),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
