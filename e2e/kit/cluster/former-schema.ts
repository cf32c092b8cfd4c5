import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Database } from '@shardnode/core/database';
import { type Cluster } from './cluster.js';
import { type Migration, migrationsOf, sourceOf } from './migrations.js';

/** Makes the schema as the version before a migration left it: the migrations before that one alone. */
export const migrateUntil = async (database: Database, { application, name }: Migration): Promise<void> => {
  const source = sourceOf(application);
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-former-'));
  try {
    for (const former of migrationsOf(application)) {
      if (former.name < name) cpSync(join(source.folder, former.name), join(folder, former.name), { recursive: true });
    }
    await database.migrate({ folder, schemaFile: source.schemaFile });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const newer = 'newer_version';

/**
 * Turns the data of a schema into what the version before a migration would have stored: its tables and columns, made by
 * its own migrations, with the rows that are there.
 */
export const takeBack = async (database: Database, migration: Migration): Promise<void> => {
  const { schema } = database;
  await database.script(`ALTER SCHEMA ${schema} RENAME TO ${newer}`);
  await migrateUntil(database, migration);
  const tables = await database.query<{ name: string; columns: string }>(
    'columns of a former version',
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns
     FROM information_schema.columns WHERE table_schema = '${schema}' AND table_name NOT LIKE '\\_prisma%' GROUP BY 1`,
  );
  for (const { name, columns } of tables) {
    await database.script(`INSERT INTO ${schema}."${name}" (${columns}) SELECT ${columns} FROM ${newer}."${name}"`);
  }
  await database.script(`DROP SCHEMA ${newer} CASCADE`);
};

/** A session of the superuser in a database of the cluster; closed when `run` is done. */
export const asAdministrator = async <T>(
  cluster: Cluster,
  database: string,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const url = new URL(cluster.servers.postgres.url);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.toString() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Columns, indexes, functions and finished migrations of a schema, as lines that do not name it. */
export const describeSchema = async (client: pg.Client, schema: string): Promise<readonly string[]> => {
  const { rows } = await client.query<{ line: string }>(
    `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
       FROM information_schema.columns WHERE table_schema = $1
     UNION ALL SELECT replace(indexdef, $1 || '.', '') FROM pg_indexes WHERE schemaname = $1
     UNION ALL SELECT format('%s %s', proname, md5(prosrc)) FROM pg_proc WHERE pronamespace = to_regnamespace($1)
     UNION ALL SELECT format('%s %s', migration_name, checksum) FROM ${schema}._prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY 1`,
    [schema],
  );
  return rows.map(({ line }) => line);
};

/** Migrations stop in their midst, after their first change of the schema, until `release`. */
export const holdMigrations = async (client: pg.Client): Promise<void> => {
  await client.query(`
    CREATE FUNCTION public.hold_migration() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_event_trigger_ddl_commands()
        WHERE object_identity LIKE '%\\_prisma\\_migrations%' OR command_tag = 'CREATE SCHEMA')
      THEN PERFORM pg_sleep(600); END IF;
    END $$;
    CREATE EVENT TRIGGER hold_migration ON ddl_command_end EXECUTE FUNCTION public.hold_migration();`);
};

export const releaseMigrations = (client: pg.Client): Promise<unknown> =>
  client.query('DROP EVENT TRIGGER hold_migration; DROP FUNCTION public.hold_migration()');

/** The session that is held in the midst of a migration; undefined while there is none. */
export const heldSession = async (client: pg.Client): Promise<number | undefined> => {
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
  );
  return rows[0]?.pid;
};
