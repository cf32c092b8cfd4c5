import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { StartFailure } from '@shardnode/core/process';
import { createServiceDatabase, dropServiceDatabase } from '@shardnode/core/servers';

/** Passwords of the services' roles by name, kept in a file that only its owner can read. */
type Secrets = Record<string, string>;

const readSecrets = (file: string): Secrets => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch {
    return {};
  }
};

/** The passwords of these roles; those that are missing are made. */
const secretsOf = (file: string, names: readonly string[]): Secrets => {
  const secrets = readSecrets(file);
  if (names.every((name) => typeof secrets[name] === 'string')) return secrets;
  for (const name of names) secrets[name] ??= randomBytes(24).toString('hex');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return secrets;
};

const letsIn = async (url: string): Promise<boolean> => {
  const databases = openDatabaseServer({ url, applicationName: 'cluster', readConnections: 1, logger: silentLogger });
  try {
    await databases.check();
    return true;
  } catch {
    return false;
  } finally {
    await databases.close();
  }
};

/** What the sessions of this role call themselves. */
const usersOf = async (adminUrl: string, name: string): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ application_name: string }>(
      'SELECT DISTINCT application_name FROM pg_stat_activity WHERE usename = $1',
      [name],
    );
    return rows.map((row) => row.application_name);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const usersLeaveWithinMs = 5_000;

/** Sessions of a network that has just ended may still be there: they get some seconds to leave. */
const refuseWhileUsed = async (adminUrl: string, name: string): Promise<void> => {
  const deadline = performance.now() + usersLeaveWithinMs;
  for (;;) {
    const users = await usersOf(adminUrl, name);
    if (users.length === 0) return;
    if (performance.now() > deadline) {
      throw new StartFailure(
        `The database ${name} is in use by ${users.join(', ')} of another cluster; stop that one, or name another PostgreSQL with POSTGRES_URL.`,
      );
    }
    await pause(100);
  }
};

const serviceUrl = (adminUrl: string, name: string, password: string): string => {
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  url.pathname = `/${name}`;
  return url.toString();
};

export interface ServiceDatabases {
  /** Of a role that may create databases and roles. */
  readonly adminUrl: string;
  readonly secretsFile: string;
  readonly names: readonly string[];
}

/** Forgets everything in the databases. Throws StartFailure while another cluster uses one of them. */
export const dropDatabases = async ({ adminUrl, names }: ServiceDatabases): Promise<void> => {
  for (const name of names) await refuseWhileUsed(adminUrl, name);
  for (const name of names) await dropServiceDatabase(adminUrl, name);
};

/**
 * The services' databases and roles, made where they are missing; gives their urls by name. A role whose password is not
 * ours gets ours, unless another cluster uses it now: it would lose its database at the next connection.
 */
export const openDatabases = async (databases: ServiceDatabases): Promise<Readonly<Record<string, string>>> => {
  const { adminUrl, secretsFile, names } = databases;
  const secrets = secretsOf(secretsFile, names);
  const urls: Record<string, string> = {};
  for (const name of names) {
    const password = secrets[name]!;
    const url = serviceUrl(adminUrl, name, password);
    if (await letsIn(url)) {
      urls[name] = url;
      continue;
    }
    await refuseWhileUsed(adminUrl, name);
    urls[name] = await createServiceDatabase(adminUrl, name, password);
  }
  return urls;
};
