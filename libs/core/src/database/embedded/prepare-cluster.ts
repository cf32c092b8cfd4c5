import { PGlite } from '@electric-sql/pglite';
import { type Database } from '../database.js';
import { PoolDatabase } from '../pool-database.js';
import { poolOver } from './open-embedded-database.js';
import { engineOver, pgliteOptions } from './pglite-engine.js';

/** Makes a fresh cluster in memory, lets the caller migrate its schemas, and gives it back as a gzipped tar archive. */
export const prepareCluster = async (
  fill: (service: (schema: string) => Database) => Promise<void>,
): Promise<Uint8Array> => {
  const pglite = await PGlite.create(pgliteOptions(undefined));
  const pool = poolOver(engineOver(pglite));
  await fill((schema) => new PoolDatabase(pool, schema));
  await pool.query('CHECKPOINT');
  await pool.end();
  const archive = await pglite.dumpDataDir('gzip');
  await pglite.close();
  return new Uint8Array(await archive.arrayBuffer());
};
