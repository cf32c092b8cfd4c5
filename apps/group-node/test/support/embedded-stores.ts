import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseHost, openEmbeddedDatabase } from '@shardnode/core/database';
import { preparedClusterFile } from '@shardnode/testing/prepared-clusters';
import { groupNodeMigrations, type GroupStore, openGroupStore } from '../../src/store/index.js';

const groups = [0, 1, 2, 3];
export const schemaOf = (group: number): string => `group_${group}`;
const schemas = Object.fromEntries(groups.map((group) => [schemaOf(group), groupNodeMigrations]));

/** Stores of group-nodes in a database of a test. */
export interface TestStores {
  readonly host: DatabaseHost;
  store(group: number): Promise<GroupStore>;
  /** The number of rows of tables of a group, by name. */
  counts(group: number, tables: readonly string[]): Promise<Readonly<Record<string, number>>>;
  /** Takes some rows out of the projection of a group. */
  spoilProjection(group: number): Promise<void>;
  /** Closes and opens again, as a restart does. */
  reopen(): Promise<TestStores>;
  remove(): Promise<void>;
}

/** Without the writer's lock: a service over the same database may hold it. */
export const openStore = async (host: DatabaseHost, group: number): Promise<GroupStore> => {
  const database = host.service(schemaOf(group));
  await database.migrate(groupNodeMigrations);
  return openGroupStore({ database, group, groups: groups.length });
};

export interface EmbeddedStores extends TestStores {
  readonly dataDir: string;
}

/** What the tests of a store ask of the rows of a database. */
export const rowsOf = (host: DatabaseHost): Pick<TestStores, 'counts' | 'spoilProjection'> => ({
  counts: async (group, tables) => {
    const schema = schemaOf(group);
    const columns = tables.map((table) => `(SELECT count(*)::int FROM ${schema}.${table}) AS ${table}`);
    const text = `SELECT ${columns.join(', ')}`;
    // One name means one text, and names of all tables would be too long for one.
    const name = `counts-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    const rows = await host.service(schema).query<Record<string, number>>(name, text);
    return rows[0]!;
  },
  spoilProjection: (group) =>
    host.service(schemaOf(group)).script(`DELETE FROM ${schemaOf(group)}.utxo WHERE hint % 2 = 1`),
});

/** Databases that a test is done with, emptied, for the next test of the file: to make one takes two seconds of a processor. */
const idle: EmbeddedStores[] = [];
let isFileOver = false;
/** Jest's, in a test; programs that tests start have none. */
(globalThis as { readonly afterAll?: (end: () => Promise<void>) => void }).afterAll?.(async () => {
  isFileOver = true;
  for (const { host, dataDir } of idle.splice(0)) await removed(host, dataDir);
});

const removed = async (host: DatabaseHost, dataDir: string): Promise<void> => {
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
};

/** Deletes all rows of all groups, but those that say what is migrated. */
const empty = async (host: DatabaseHost): Promise<void> => {
  for (const schema of Object.keys(schemas)) {
    const tables = await host
      .service(schema)
      .query<{ name: string }>(
        'tables',
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> '_prisma_migrations'",
        [schema],
      );
    const names = tables.map(({ name }) => `${schema}.${name}`);
    if (names.length > 0) await host.service(schema).script(`TRUNCATE ${names.join(', ')} RESTART IDENTITY`);
  }
};

const over = async (dataDir: string, archive: string): Promise<EmbeddedStores> => {
  const host = await openEmbeddedDatabase({ dataDir, preparedCluster: archive });
  const stores: EmbeddedStores = {
    dataDir,
    host,
    store: (group) => openStore(host, group),
    ...rowsOf(host),
    reopen: async () => {
      await host.close();
      return over(dataDir, archive);
    },
    remove: async () => {
      if (isFileOver) return removed(host, dataDir);
      await empty(host);
      idle.push(stores);
    },
  };
  return stores;
};

/** Stores of group-nodes in an empty embedded database. */
export const embeddedStores = async (): Promise<EmbeddedStores> =>
  idle.pop() ?? over(mkdtempSync(join(tmpdir(), 'shardnode-store-')), await preparedClusterFile(schemas));
