import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ServerName } from './server-process.js';

interface Program {
  readonly name: ServerName;
  /** Required executable. */
  readonly program: string;
  /** Package of Debian and Ubuntu, and of Homebrew. */
  readonly aptPackage: string;
  readonly brewPackage: string;
}

const programs: readonly Program[] = [
  { name: 'postgres', program: 'postgres', aptPackage: 'postgresql', brewPackage: 'postgresql@17' },
  { name: 'nats', program: 'nats-server', aptPackage: 'nats-server', brewPackage: 'nats-server' },
  { name: 'redis', program: 'redis-server', aptPackage: 'redis-server', brewPackage: 'redis' },
];

/** Folders of servers that may not be in PATH: Debian, then Homebrew; newest version first. */
const versionedFolders = [
  { parent: '/usr/lib/postgresql', inner: 'bin' },
  { parent: '/opt/homebrew/opt', inner: 'bin' },
];

const versioned = (): string[] =>
  versionedFolders.flatMap(({ parent, inner }) =>
    existsSync(parent)
      ? readdirSync(parent)
          .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
          .map((version) => join(parent, version, inner))
      : [],
  );

/** Full path of a server's executable; undefined if it is not installed. */
export const findProgram = (program: string): string | undefined => {
  const fromPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...versioned(), ...fromPath, '/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
};

export interface MissingProgram {
  readonly name: ServerName;
  readonly program: string;
  /** Command that installs it on this kind of machine. */
  readonly install: string;
  /** Command that starts it as a service of this machine. */
  readonly start: string;
}

/** How a server is installed and started on this kind of machine. */
export const programAdvice = (name: ServerName): MissingProgram => {
  const { program, aptPackage, brewPackage } = programs.find((entry) => entry.name === name)!;
  return process.platform === 'darwin'
    ? { name, program, install: `brew install ${brewPackage}`, start: `brew services start ${brewPackage}` }
    : { name, program, install: `sudo apt-get install -y ${aptPackage}`, start: `sudo service ${aptPackage} start` };
};

/** The wanted servers that are not installed. */
export const missingPrograms = (
  wanted: readonly ServerName[] = ['postgres', 'nats', 'redis'],
): readonly MissingProgram[] => wanted.map(programAdvice).filter(({ program }) => findProgram(program) === undefined);

/** @throws Error with the command that installs it */
export const requireProgram = (name: ServerName, program?: string): string => {
  const advice = programAdvice(name);
  const found = findProgram(program ?? advice.program);
  if (found === undefined) throw new Error(`${program ?? advice.program} is not installed: ${advice.install}`);
  return found;
};
