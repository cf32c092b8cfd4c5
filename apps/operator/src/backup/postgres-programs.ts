import { spawn } from 'node:child_process';
import { requireProgram } from '@shardnode/core/servers';
import { type Environment } from '@shardnode/core/configuration';
import { CommandFailure } from '../command.js';
import { accessOf, type ServiceDatabase } from '../databases/service-databases.js';

/**
 * Environment with which PostgreSQL's programs reach the database. Secrets are passed there, never on a command line.
 */
const environmentFor = (one: ServiceDatabase, environment: Environment): Record<string, string> => {
  const { url, password } = accessOf(one, environment);
  const address = new URL(url);
  const secret = password?.() ?? decodeURIComponent(address.password);
  const authority = environment['DATABASE_TLS_CA']?.trim() ?? '';
  return {
    PATH: environment['PATH'] ?? '',
    PGHOST: address.searchParams.get('host') ?? address.hostname.replace(/^\[|\]$/g, ''),
    PGPORT: address.port === '' ? '5432' : address.port,
    PGUSER: decodeURIComponent(address.username),
    PGDATABASE: decodeURIComponent(address.pathname.slice(1)),
    PGAPPNAME: 'operator',
    PGCONNECT_TIMEOUT: '10',
    ...(secret === '' ? {} : { PGPASSWORD: secret }),
    ...(authority === '' ? {} : { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authority }),
  };
};

const programOf = (name: string): string => {
  try {
    return requireProgram('postgres', name);
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message}`, { cause: error });
  }
};

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs pg_dump or pg_restore on the database of a service. A signal to this process ends only the program, whose
 * failure then lets the caller restore everything. @throws CommandFailure with its last output
 */
export const runPostgresProgram = (
  name: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  one: ServiceDatabase,
  environment: Environment,
): Promise<void> => {
  const program = programOf(name);
  const env = environmentFor(one, environment);
  // Without the database here pg_restore writes a script instead.
  const place = name === 'pg_restore' ? [`--dbname=${env['PGDATABASE']}`] : [];
  const child = spawn(program, [...place, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-2_000)));
  const stop = (): void => void child.kill('SIGTERM');
  for (const signal of stopSignals) process.on(signal, stop);
  return new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandFailure(`${program} cannot be run (${error.message}).`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new CommandFailure(`${name} failed (${signal ?? `exit code ${code}`}): ${words.trim()}`));
    });
  }).finally(() => {
    for (const signal of stopSignals) process.off(signal, stop);
  });
};
