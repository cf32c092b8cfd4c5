import { type SchemaStatements } from '@shardnode/core/database';

/** A small value kept by name; undefined when it was never set. */
export const getMeta = async (database: SchemaStatements, key: string): Promise<unknown> => {
  const rows = await database.query<{ value: unknown }>(
    'get-meta',
    `SELECT value FROM ${database.schema}.node_meta WHERE key = $1`,
    [key],
  );
  return rows[0]?.value;
};

/** @param value anything that JSON can say */
export const setMeta = async (database: SchemaStatements, key: string, value: unknown): Promise<void> => {
  await database.query(
    'set-meta',
    `INSERT INTO ${database.schema}.node_meta (key, value) VALUES ($1, $2::jsonb)
     ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
    [key, JSON.stringify(value)],
  );
};
