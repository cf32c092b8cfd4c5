import { PGlite } from '@electric-sql/pglite';
import { type MigrationSource } from '../database.js';
import { poolOver } from '../embedded/open-embedded-database.js';
import { engineOver, pgliteOptions } from '../embedded/pglite-engine.js';
import { migrateSchema } from './migrate-schema.js';
import { differenceToModel } from './schema-engine.js';

/**
 * Applies a service's migrations (twice, as two starts do) to an empty database in memory and compares the result with
 * its schema.prisma. Returns the SQL that would make them equal, or undefined if they are. This finds a missing
 * migration.
 * @param change SQL to run in between, with the schema's tables in the search path; for tests of this very check
 */
export const schemaDifference = async (source: MigrationSource, change?: string): Promise<string | undefined> => {
  const schema = 'compared';
  const pglite = await PGlite.create(pgliteOptions(undefined));
  const pool = poolOver(engineOver(pglite));
  try {
    await migrateSchema(pool, schema, source);
    await migrateSchema(pool, schema, source);
    if (change !== undefined) await pool.query(`SET search_path TO ${schema}; ${change}; SET search_path TO public`);
    return await differenceToModel(pool, schema, source);
  } finally {
    await pool.end();
    await pglite.close();
  }
};
