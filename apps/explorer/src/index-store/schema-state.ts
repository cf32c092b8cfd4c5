import { type Database, DatabaseError, schemaVersion, type Statements } from '@shardnode/core/database';
import { genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { migrationScripts } from './migrations.js';

/**
 * Why the schema does not fit this program; undefined if it does. Only reads.
 * @throws DatabaseError `NewerSchema`, `ChangedMigration`
 */
export const schemaProblem = async (database: Database): Promise<string | undefined> => {
  const { schema } = database;
  const version = await schemaVersion(database, migrationScripts());
  switch (version.kind) {
    case 'current':
      return undefined;
    case 'absent':
      return 'its schema has not been created yet';
    case 'older':
      return 'its schema is of an older version';
    case 'newer':
      throw new DatabaseError(
        'NewerSchema',
        `The data of ${schema} was written by a newer version of this program (migration ${version.unknown}).`,
        'Start the newer version.',
      );
    case 'changed':
      throw new DatabaseError(
        'ChangedMigration',
        `The data of ${schema} was made by another version of migration ${version.name}.`,
        'Start the version that made it, or build the index again: --resync.',
      );
  }
};

/** Facts of the network that table `meta` keeps (protocol 08 §3.3). */
const factsOf = (network: NetworkSettings): Readonly<Record<string, unknown>> => ({
  network_id: network.networkId,
  groups: network.groups,
  genesis_hashes: genesisBlocks(network).map(({ header }) => header.hash),
});

/**
 * Stores of which network the index is, once, and the number of its migrations. Returns the first fact in which a
 * database of another network differs, and then stores nothing.
 */
export const markNetwork = async (
  database: Statements & { readonly schema: string },
  network: NetworkSettings,
): Promise<string | undefined> => {
  const rows = await database.query<{ key: string; value: unknown }>(
    'meta',
    `SELECT key, value FROM ${database.schema}.meta`,
  );
  const stored = new Map(rows.map(({ key, value }) => [key, JSON.stringify(value)]));
  for (const [key, value] of Object.entries(factsOf(network))) {
    const found = stored.get(key);
    if (found !== undefined && found !== JSON.stringify(value)) return key;
  }
  for (const [key, value] of Object.entries({ ...factsOf(network), schema_version: migrationScripts().length })) {
    await setMeta(database, key, value);
  }
  return undefined;
};

/** Sets a mark of table `meta`. */
export const setMeta = (
  database: Statements & { readonly schema: string },
  key: string,
  value: unknown,
): Promise<unknown> =>
  database.query(
    'set-meta',
    `INSERT INTO ${database.schema}.meta (key, value) VALUES ($1, $2::text::jsonb)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [key, JSON.stringify(value)],
  );
