import pg from 'pg';

const plainName = /^[a-z][a-z0-9_]{0,62}$/;

const withClient = async <T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const checkName = (name: string): void => {
  if (!plainName.test(name)) throw new RangeError(`not a plain name of a database: ${name}`);
};

const isThere = async (client: pg.Client, text: string, name: string): Promise<boolean> =>
  (await client.query(text, [name])).rowCount === 1;

/**
 * A role and a database of the same name that it owns, which nobody else may connect to. Both are made where they are
 * missing; the password is set in any case. `adminUrl`: of a role that may create both. Gives the url of the service.
 */
export const createServiceDatabase = (adminUrl: string, name: string, password: string): Promise<string> => {
  checkName(name);
  return withClient(adminUrl, async (client) => {
    const hasRole = await isThere(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1', name);
    const verb = hasRole ? 'ALTER' : 'CREATE';
    await client.query(`${verb} ROLE ${name} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    if (!(await isThere(client, 'SELECT 1 FROM pg_database WHERE datname = $1', name))) {
      // Whoever is no superuser must belong to the role to give it a database.
      await client.query(`GRANT ${name} TO CURRENT_USER`).catch(() => undefined);
      await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
      await client.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    }
    const url = new URL(adminUrl);
    url.username = name;
    url.password = password;
    url.pathname = `/${name}`;
    return url.toString();
  });
};

/** Forgets everything of a service. Ends the connections of those who still use it. */
export const dropServiceDatabase = (adminUrl: string, name: string): Promise<void> => {
  checkName(name);
  return withClient(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${name}`);
  });
};
