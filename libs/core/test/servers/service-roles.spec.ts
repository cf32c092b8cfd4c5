import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { secretReader } from '@shardnode/core/configuration';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import {
  createReaderRole,
  createServiceDatabase,
  type ServerProcess,
  setRolePassword,
  startPostgres,
} from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { fixtureMigrations } from '../database/database-contract.js';

const names = ['service_a', 'service_b', 'service_c'];

describeWithServers(['postgres'], 'a role and a database for each service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-roles-'));
  let server: ServerProcess;
  const urls = new Map<string, string>();
  const withClient = async <T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await run(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const as = (name: string, database = name): string => {
    const url = new URL(urls.get(name)!);
    url.pathname = `/${database}`;
    return url.toString();
  };
  const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );

  beforeAll(async () => {
    server = await startPostgres({ folder: join(folder, 'postgres'), settings: { log_statement: 'all' } });
    for (const name of names) urls.set(name, await createServiceDatabase(server.url, name, `password-of-${name}`));
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lets each into its own and into no other', async () => {
    const outcomes: unknown[] = [];
    for (const role of names) {
      for (const database of names) {
        const outcome = await codeOf(withClient(as(role, database), (client) => client.query('SELECT 1')));
        outcomes.push([role, database, outcome]);
      }
    }
    // 42501: permission denied for database
    expect(outcomes).toEqual(
      names.flatMap((role) => names.map((database) => [role, database, role === database ? 'done' : '42501'])),
    );
  });

  it('lets no other into one that somebody else has made', async () => {
    await withClient(server.url, async (client) => {
      await client.query('CREATE ROLE service_f');
      await client.query('CREATE DATABASE service_f OWNER service_f');
    });
    urls.set('service_f', await createServiceDatabase(server.url, 'service_f', 'password-of-service_f'));
    const outcomes = ['service_a', 'service_f'].map((role) =>
      codeOf(withClient(as(role, 'service_f'), (client) => client.query('SELECT 1'))),
    );
    expect(await Promise.all(outcomes)).toEqual(['42501', 'done']);
  });

  it('lets none into the databases that every server has', async () => {
    const outcomes: unknown[] = [];
    for (const role of names) {
      for (const database of ['postgres', 'template1']) {
        outcomes.push(await codeOf(withClient(as(role, database), (client) => client.query('SELECT 1'))));
      }
    }
    expect(outcomes).toEqual(outcomes.map(() => '42501'));
    // Who administers the server goes on, and databases are made of the template as before.
    await createServiceDatabase(server.url, 'service_d', 'password-of-service_d');
  });

  it('gives none of them a right over the server', async () => {
    const { rows } = await withClient(server.url, (client) =>
      client.query(
        `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = ANY($1)`,
        [names],
      ),
    );
    expect(rows).toHaveLength(names.length);
    expect(rows.flatMap((row) => Object.values(row as object)).filter(Boolean)).toEqual([]);
    for (const text of [
      'CREATE ROLE more',
      'CREATE DATABASE more',
      'ALTER ROLE service_b PASSWORD NULL',
      'SET ROLE service_b',
      'SET ROLE postgres',
      'DROP DATABASE service_b',
      'ALTER DATABASE service_b CONNECTION LIMIT 0',
      "COPY (SELECT 1) TO '/tmp/stolen'",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
      'SELECT rolpassword FROM pg_authid',
    ]) {
      expect([text, await codeOf(withClient(as('service_a'), (client) => client.query(text)))]).toEqual([
        text,
        '42501',
      ]);
    }
  });

  it('migrates as `prisma migrate deploy` does: its rows are those that Prisma expects', async () => {
    const host = openDatabaseServer({ url: as('service_a'), applicationName: 'service_a', logger: silentLogger });
    await host.service('kept').migrate(fixtureMigrations);
    await host.close();
    const { rows } = await withClient(as('service_a'), (client) =>
      client.query<{ migration_name: string; checksum: string; owner: string }>(
        `SELECT migration_name, checksum, tableowner AS owner FROM kept._prisma_migrations, pg_tables
         WHERE schemaname = 'kept' AND tablename = '_prisma_migrations'
           AND finished_at IS NOT NULL AND rolled_back_at IS NULL AND applied_steps_count = 1 ORDER BY migration_name`,
      ),
    );
    const scripts = readdirSync(fixtureMigrations.folder, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const expected = scripts.map(({ name }) => {
      const script = readFileSync(join(fixtureMigrations.folder, name, 'migration.sql'));
      return { migration_name: name, checksum: createHash('sha256').update(script).digest('hex'), owner: 'service_a' };
    });
    expect(rows).toEqual(expected.sort((a, b) => (a.migration_name < b.migration_name ? -1 : 1)));
    expect(rows.length).toBeGreaterThan(0);
  });

  it('has a reader of its database, who sees all of it and changes nothing', async () => {
    // Administered without the rights of a superuser.
    const deputy = new URL(server.url);
    [deputy.username, deputy.password] = ['deputy', 'password-of-deputy'];
    await withClient(server.url, async (client) => {
      await client.query(`CREATE ROLE deputy LOGIN CREATEDB CREATEROLE PASSWORD 'password-of-deputy'`);
      await client.query('GRANT CONNECT ON DATABASE postgres TO deputy');
    });
    const owner = await createServiceDatabase(deputy.toString(), 'service_e', 'password-of-service_e');
    const role = { database: 'service_e', reader: 'service_e_reader', password: 'password-of-reader' };
    const reader = (database: string): string => {
      const url = new URL(owner);
      [url.username, url.password, url.pathname] = [role.reader, role.password, `/${database}`];
      return url.toString();
    };
    const asOwner = (text: string): Promise<unknown> => withClient(owner, (client) => client.query(text));
    await asOwner('CREATE SCHEMA before; CREATE TABLE before.kept AS SELECT 1 AS one');
    for (let round = 0; round < 2; round++) await createReaderRole(deputy.toString(), role);
    // As a migration that comes later, and as a wipe and a new start.
    await asOwner('CREATE TABLE before.added AS SELECT 2 AS one');
    await asOwner('CREATE SCHEMA later; CREATE TABLE later.kept AS SELECT 3 AS one');
    await asOwner('DROP SCHEMA later CASCADE; CREATE SCHEMA later; CREATE TABLE later.kept AS SELECT 4 AS one');
    await withClient(reader('service_e'), async (client) => {
      const { rows } = await client.query<{ one: number }>(
        'SELECT one FROM before.kept UNION SELECT one FROM before.added UNION SELECT one FROM later.kept ORDER BY one',
      );
      expect(rows.map(({ one }) => one)).toEqual([1, 2, 4]);
      // 25006: a transaction that only reads
      expect(await codeOf(client.query('CREATE TABLE public.mine (one int)'))).toBe('25006');
      await client.query('SET default_transaction_read_only = off');
      for (const text of [
        'INSERT INTO before.kept VALUES (2)',
        'DELETE FROM later.kept',
        'TRUNCATE later.kept',
        'DROP TABLE later.kept',
        'CREATE TABLE later.mine (one int)',
        'CREATE SCHEMA mine',
        'SET ROLE service_e',
      ])
        expect([text, await codeOf(client.query(text))]).toEqual([text, '42501']);
    });
    for (const database of ['service_a', 'postgres'])
      expect(await codeOf(withClient(reader(database), (client) => client.query('SELECT 1')))).toBe('42501');
  });

  it('takes a new password: open sessions go on, the next ones need it, and a file of it is read again', async () => {
    const file = join(folder, 'password');
    writeFileSync(file, 'password-of-service_c\n');
    const url = new URL(as('service_c'));
    url.password = '';
    const settings = { DATABASE_PASSWORD: 'password-of-service_c', DATABASE_PASSWORD_FILE: file };
    const password = secretReader(settings, 'DATABASE_PASSWORD');
    const open = () =>
      openDatabaseServer({
        url: url.toString(),
        password,
        applicationName: 'c',
        readConnections: 1,
        logger: silentLogger,
      });
    const host = open();
    await host.check();
    const old = new pg.Client({ connectionString: as('service_c') });
    old.on('error', () => undefined);
    await old.connect();
    await setRolePassword(server.url, 'service_c', 'the-next-one');
    expect((await old.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await codeOf(withClient(as('service_c'), (client) => client.query('SELECT 1')))).toBe('28P01');
    const late = open();
    await expect(late.check()).rejects.toMatchObject({ code: 'AccessRefused' });
    writeFileSync(file, 'the-next-one\n');
    // The very same pools: one that was refused, and one whose connection is cut.
    await late.check();
    await withClient(server.url, (client) =>
      client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service_c'"),
    );
    await host.check().catch(() => host.check());
    await Promise.all([host.close(), late.close(), old.end().catch(() => undefined)]);
  });

  it('never tells the server a password in a statement, which it would log', () => {
    const log = server.log();
    expect(log).toContain('ALTER ROLE service_c');
    for (const secret of ['the-next-one', ...names.map((name) => `password-of-${name}`)])
      expect(log).not.toContain(secret);
  });
});
