import { setTimeout as pause } from 'node:timers/promises';
import { openDatabaseServer, type DatabaseAccess } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { StartFailure } from '@shardnode/core/process';
import { createReaderRole, createServiceDatabase, dropServiceDatabase, sessionsOf } from '@shardnode/core/servers';
import { explorerDatabase, explorerReader } from '@shardnode/messages/credentials';

const letsIn = async (access: DatabaseAccess): Promise<boolean> => {
  const databases = openDatabaseServer({
    ...access,
    applicationName: 'cluster',
    readConnections: 1,
    logger: silentLogger,
  });
  try {
    await databases.check();
    return true;
  } catch {
    return false;
  } finally {
    await databases.close();
  }
};

const usersLeaveWithinMs = 5_000;

/** Sessions of a network that has just ended may still exist: they get some seconds to end. */
const refuseWhileUsed = async (admin: DatabaseAccess, name: string): Promise<void> => {
  const deadline = performance.now() + usersLeaveWithinMs;
  for (;;) {
    const users = await sessionsOf(admin, name);
    if (users.length === 0) return;
    if (performance.now() > deadline) {
      throw new StartFailure(
        `The database ${name} is in use by ${users.join(', ')} of another cluster; stop that one, or name another PostgreSQL with POSTGRES_URL.`,
      );
    }
    await pause(100);
  }
};

/** Address of the database of a service, with a role, its own by default, and without the password. */
export const serviceUrl = (adminUrl: string, name: string, role = name): string => {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = '';
  url.pathname = `/${name}`;
  return url.toString();
};

export interface ServiceDatabases {
  /** Access with a role that may create databases and roles. */
  readonly admin: DatabaseAccess;
  readonly passwordOf: (name: string) => string;
  readonly names: readonly string[];
}

/** Deletes everything in the databases. Throws StartFailure while another cluster uses one of them. */
export const dropDatabases = async ({ admin, names }: Omit<ServiceDatabases, 'passwordOf'>): Promise<void> => {
  for (const name of names) await refuseWhileUsed(admin, name);
  for (const name of names) await dropServiceDatabase(admin, name);
};

/**
 * Creates missing databases and roles of the services; returns their urls by name, without the passwords. A role with
 * another password gets ours, unless another cluster uses it now: that one would lose its database at the next
 * connection.
 */
export const openDatabases = async (databases: ServiceDatabases): Promise<Readonly<Record<string, string>>> => {
  const { admin, passwordOf, names } = databases;
  const urls: Record<string, string> = {};
  for (const name of names) {
    const url = serviceUrl(admin.url, name);
    urls[name] = url;
    if (await letsIn({ ...admin, url, password: () => passwordOf(name) })) continue;
    await refuseWhileUsed(admin, name);
    await createServiceDatabase(admin, name, passwordOf(name));
  }
  const password = passwordOf(explorerReader);
  const url = serviceUrl(admin.url, explorerDatabase, explorerReader);
  if (!(await letsIn({ ...admin, url, password: () => password })))
    await createReaderRole(admin, { database: explorerDatabase, reader: explorerReader, password });
  return urls;
};
