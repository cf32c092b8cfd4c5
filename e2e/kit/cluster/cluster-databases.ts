import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createServiceDatabase, dropServiceDatabase } from '@shardnode/core/servers';

/** The databases of a cluster's services, each with a role of the same name that owns it. */
export interface ClusterDatabases {
  /** Of the service, at the server's own port. With the password: never to be logged. */
  url(database: string): string;
  create(): Promise<void>;
  /** Empty ones instead of those that are there. */
  reset(): Promise<void>;
  /** A copy of a database, while nobody uses it. */
  backup(database: string, name: string): Promise<void>;
  /** The database becomes what it was at the backup. */
  restore(database: string, name: string): Promise<void>;
}

const run = async (url: string, ...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Sessions of processes that were killed may take a moment to end. */
const endSessions = (database: string): string =>
  `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${database}'`;

/** @param adminUrl of the superuser */
export const clusterDatabases = (adminUrl: string, names: readonly string[]): ClusterDatabases => {
  const urls = new Map<string, string>();
  const create = async (): Promise<void> => {
    const password = randomBytes(12).toString('hex');
    await Promise.all(names.map(async (name) => urls.set(name, await createServiceDatabase(adminUrl, name, password))));
  };
  const backupOf = (database: string, name: string): string => `backup_${name}_of_${database}`;
  return {
    url: (database) => {
      const url = urls.get(database);
      if (url === undefined) throw new Error(`there is no database ${database}`);
      return url;
    },
    create,
    reset: async () => {
      for (const name of names) await dropServiceDatabase(adminUrl, name);
      await create();
    },
    backup: (database, name) =>
      run(
        adminUrl,
        `DROP DATABASE IF EXISTS ${backupOf(database, name)}`,
        endSessions(database),
        `CREATE DATABASE ${backupOf(database, name)} TEMPLATE ${database}`,
      ),
    restore: (database, name) =>
      run(
        adminUrl,
        `DROP DATABASE ${database} WITH (FORCE)`,
        `CREATE DATABASE ${database} TEMPLATE ${backupOf(database, name)} OWNER ${database}`,
        `REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC`,
      ),
  };
};
