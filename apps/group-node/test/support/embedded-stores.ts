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

const over = async (dataDir: string, archive: string): Promise<EmbeddedStores> => {
  const host = await openEmbeddedDatabase({ dataDir, preparedCluster: archive });
  return {
    dataDir,
    host,
    store: (group) => openStore(host, group),
    ...rowsOf(host),
    reopen: async () => {
      await host.close();
      return over(dataDir, archive);
    },
    remove: async () => {
      await host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** Stores of group-nodes in a fresh embedded database. */
export const embeddedStores = async (): Promise<EmbeddedStores> =>
  over(mkdtempSync(join(tmpdir(), 'shardnode-store-')), await preparedClusterFile(schemas));
