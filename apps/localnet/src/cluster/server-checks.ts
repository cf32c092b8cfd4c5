import { DatabaseError, openDatabaseServer } from '@shardnode/core/database';
import { natsAnswers, reasonOf, redisAnswers } from '@shardnode/core/process';
import { missingPrograms, programAdvice, type ServerName } from '@shardnode/core/servers';
import { silentLogger } from '@shardnode/core/observability';
import { type ClusterSettings } from './settings.js';

/** A server that a cluster lacks, and the commands that fix it. */
export interface ServerProblem {
  readonly server: string;
  /** True: the cluster cannot run without it. */
  readonly isNeeded: boolean;
  readonly problem: string;
  readonly commands: readonly string[];
  /** Variable of the server's address. */
  readonly setting: string;
}

export type ServerUrls = Pick<ClusterSettings, 'POSTGRES_URL' | 'NATS_URL' | 'REDIS_URL'>;

const statement = `CREATE ROLE shardnode LOGIN CREATEDB CREATEROLE PASSWORD 'shardnode'`;

/** Debian and Ubuntu give the superuser to the system's user postgres, Homebrew to the user who installed it. */
const createRole =
  process.platform === 'darwin' ? `psql postgres -c "${statement}"` : `sudo -u postgres psql -c "${statement}"`;

const isInstalled = (name: ServerName): boolean => missingPrograms([name]).length === 0;

/** Host and port, never the password. */
export const placeOf = (url: string): string => {
  try {
    return new URL(url).host;
  } catch {
    return 'an address that cannot be read';
  }
};

const describeProblem = (
  name: ServerName,
  server: string,
  setting: string,
  place: string,
  error: unknown,
): ServerProblem => {
  const { install, start } = programAdvice(name);
  const installed = isInstalled(name);
  const isAnswering = error instanceof DatabaseError && error.code === 'AccessRefused';
  const commands = [...(installed || isAnswering ? [] : [install]), ...(isAnswering ? [] : [start])];
  return {
    server,
    isNeeded: name !== 'redis',
    problem: name === 'postgres' ? reasonOf(error) : `${server} at ${place} does not answer (${reasonOf(error)})`,
    commands: name === 'postgres' ? [...commands, createRole] : commands,
    setting,
  };
};

const postgresAnswers = async (url: string): Promise<void> => {
  const databases = openDatabaseServer({ url, applicationName: 'cluster', readConnections: 1, logger: silentLogger });
  try {
    await databases.check();
  } finally {
    await databases.close();
  }
};

/** Checks all servers at once; returns the problems of those that do not respond. */
export const checkServers = async (urls: ServerUrls): Promise<ServerProblem[]> => {
  const { POSTGRES_URL, NATS_URL, REDIS_URL } = urls;
  const checks = [
    {
      name: 'postgres',
      server: 'PostgreSQL',
      setting: 'POSTGRES_URL',
      place: placeOf(POSTGRES_URL),
      check: () => postgresAnswers(POSTGRES_URL),
    },
    {
      name: 'nats',
      server: 'NATS',
      setting: 'NATS_URL',
      place: NATS_URL.map(placeOf).join(', '),
      check: () => natsAnswers(NATS_URL),
    },
    {
      name: 'redis',
      server: 'Redis',
      setting: 'REDIS_URL',
      place: placeOf(REDIS_URL),
      check: () => redisAnswers(REDIS_URL),
    },
  ] as const;
  const problems = checks.map(async ({ name, server, setting, place, check }) => {
    try {
      await check();
      return undefined;
    } catch (error) {
      return describeProblem(name, server, setting, place, error);
    }
  });
  return (await Promise.all(problems)).filter((problem) => problem !== undefined);
};

/** Missing programs that `--servers` needs. */
export const missingServerPrograms = (): ServerProblem[] =>
  missingPrograms().map(({ name, program, install }) => ({
    server: { postgres: 'PostgreSQL', nats: 'NATS', redis: 'Redis' }[name],
    isNeeded: name !== 'redis',
    problem: `${program} is not installed`,
    commands: [install],
    setting: '',
  }));

const block = ({ server, problem, commands, setting, isNeeded }: ServerProblem): string[] => [
  `  ${server.padEnd(10)}  ${problem}${isNeeded ? '' : ' (the cluster works without it: its cache is in memory then)'}`,
  ...commands.map((command) => `              ${command}`),
  ...(setting === '' ? [] : [`              or say with ${setting} where it is`]),
];

/** All problems, each with the commands that fix it. */
export const problemsText = (problems: readonly ServerProblem[], withServers: boolean): string =>
  [
    withServers ? 'The cluster cannot start servers of its own:' : 'The cluster needs servers that do not answer:',
    '',
    ...problems.flatMap((problem) => [...block(problem), '']),
    ...(withServers
      ? []
      : [
          'Servers that are installed need not run: `npm run cluster -- --servers` starts them itself, with data in DATA_DIR.',
          '',
        ]),
  ].join('\n');
