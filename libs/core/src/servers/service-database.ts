import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectionSettings, type DatabaseAccess } from '../database/server/connection-settings.js';

const plainName = /^[a-z][a-z0-9_]{0,62}$/;

/** Access to a server as a role that may create roles and databases; a text is its URL. */
export type AdminAccess = string | DatabaseAccess;

const accessOf = (admin: AdminAccess): DatabaseAccess => (typeof admin === 'string' ? { url: admin } : admin);

const withClient = async <T>(admin: AdminAccess, run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(connectionSettings(accessOf(admin), 'administration'));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const scramRounds = 4_096;

/**
 * The verifier that PostgreSQL stores for a password (RFC 5803). So no statement, which the server may log, has the
 * password itself.
 */
const scramVerifier = (password: string): string => {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, scramRounds, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${scramRounds}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
};

const checkName = (name: string): void => {
  if (!plainName.test(name)) throw new RangeError(`not a plain name of a database: ${name}`);
};

const isThere = async (client: pg.Client, text: string, name: string): Promise<boolean> =>
  (await client.query(text, [name])).rowCount === 1;

/** Databases that every server has. */
const everyServers = ['postgres', 'template1'];

/** Of `closeDatabases`; any number that nothing else locks. */
const closingLock = 7_301_944;

/**
 * Nobody may connect to these databases by the right of everybody. One administrator at a time: PostgreSQL refuses
 * simultaneous changes of one row. Databases of somebody else stay as they are.
 */
const closeDatabases = async (client: pg.Client, databases: readonly string[]): Promise<void> => {
  await client.query('SELECT pg_advisory_lock($1)', [closingLock]);
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(datname) AS name FROM pg_database
       WHERE datname = ANY ($1) AND pg_has_role(datdba, 'USAGE') AND has_database_privilege('public', oid, 'CONNECT')`,
      [databases],
    );
    for (const { name } of rows) await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [closingLock]);
  }
};

const setLogin = async (client: pg.Client, role: string, password: string): Promise<void> => {
  const hasRole = await isThere(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1', role);
  const verb = hasRole ? 'ALTER' : 'CREATE';
  await client.query(`${verb} ROLE ${role} LOGIN PASSWORD '${scramVerifier(password)}'`);
};

/**
 * Creates a role and a database of the same name, owned by the role; no other role may connect to it. Existing ones are
 * reused; the password is always set. The role has no other rights on the server,
 * and connects to no other database, `postgres` and `template1` included. Returns the URL for the service.
 */
export const createServiceDatabase = (admin: AdminAccess, name: string, password: string): Promise<string> => {
  checkName(name);
  return withClient(admin, async (client) => {
    await closeDatabases(client, everyServers);
    await setLogin(client, name, password);
    if (!(await isThere(client, 'SELECT 1 FROM pg_database WHERE datname = $1', name))) {
      // A role without superuser rights must be a member of the role to create a database for it.
      await client.query(`GRANT ${name} TO CURRENT_USER`).catch(() => undefined);
      await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
    }
    // One that was there, too: somebody else made it, or this function was killed in between.
    await closeDatabases(client, [name]);
    const url = new URL(accessOf(admin).url);
    url.username = name;
    url.password = password;
    url.pathname = `/${name}`;
    return url.toString();
  });
};

/** A role that only reads, and the database that it reads. */
export interface ReaderRole {
  readonly database: string;
  readonly reader: string;
  readonly password: string;
}

/**
 * Creates a role that reads everything in the database of a service, tables of later migrations included, and changes
 * nothing. The database exists already. An existing role is reused; the password is always set.
 */
export const createReaderRole = (admin: AdminAccess, { database, reader, password }: ReaderRole): Promise<void> => {
  for (const name of [database, reader]) checkName(name);
  const access = accessOf(admin);
  const url = new URL(access.url);
  url.pathname = `/${database}`;
  // Rights on schemas and tables are given inside of their database.
  return withClient({ ...access, url: url.toString() }, async (client) => {
    await setLogin(client, reader, password);
    await client.query(`ALTER ROLE ${reader} SET default_transaction_read_only = on`);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${reader}`);
    await client.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${database} GRANT USAGE ON SCHEMAS TO ${reader}`);
    await client.query(`ALTER DEFAULT PRIVILEGES FOR ROLE ${database} GRANT SELECT ON TABLES TO ${reader}`);
    const { rows } = await client.query<{ name: string }>(
      'SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspowner = $1::regrole',
      [database],
    );
    for (const { name } of rows) {
      await client.query(`GRANT USAGE ON SCHEMA ${name} TO ${reader}`);
      await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO ${reader}`);
    }
  });
};

/** Drops the database and role of a service. Ends their open connections. */
export const dropServiceDatabase = (admin: AdminAccess, name: string): Promise<void> => {
  checkName(name);
  return withClient(admin, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${name}`);
  });
};

/** Application names of the sessions of a role. */
export const sessionsOf = (admin: AdminAccess, name: string): Promise<readonly string[]> =>
  withClient(admin, async (client) => {
    const { rows } = await client.query<{ application_name: string }>(
      'SELECT DISTINCT application_name FROM pg_stat_activity WHERE usename = $1',
      [name],
    );
    return rows.map((row) => row.application_name);
  });

/** Sets the password of a role. Open sessions continue; new ones need the new password. */
export const setRolePassword = (admin: AdminAccess, name: string, password: string): Promise<void> => {
  checkName(name);
  return withClient(admin, async (client) => {
    await client.query(`ALTER ROLE ${name} PASSWORD '${scramVerifier(password)}'`);
  });
};

/** Bytes, including intermediate certificates. */
const longestCertificate = 1_000_000;

/**
 * Makes the server reload its settings and certificate; open sessions continue with the old one. Returns the
 * certificate as the server reads it; undefined: the configured file is missing.
 */
export const reloadDatabaseServer = (admin: AdminAccess): Promise<string | undefined> =>
  withClient(admin, async (client) => {
    const { rows } = await client.query<{ certificate: string | null }>(
      `SELECT pg_read_file(current_setting('ssl_cert_file'), 0, ${longestCertificate}, true) AS certificate, pg_reload_conf()`,
    );
    return rows[0]!.certificate ?? undefined;
  });
