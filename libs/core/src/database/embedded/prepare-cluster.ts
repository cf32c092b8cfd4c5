import { PGlite } from '@electric-sql/pglite';
import { Connections } from '../connections.js';
import { type Database } from '../database.js';
import { databasesOver, poolOver } from './open-embedded-database.js';
import { engineOver, pgliteOptions } from './pglite-engine.js';

/** Creates a cluster in memory, lets the caller migrate its schemas, and returns it as a gzipped tar archive. */
export const prepareCluster = async (
  fill: (service: (schema: string) => Database) => Promise<void>,
): Promise<Uint8Array> => {
  const pglite = await PGlite.create(pgliteOptions(undefined));
  const pool = poolOver(engineOver(pglite));
  await fill(databasesOver(new Connections(pool)));
  await pool.query('CHECKPOINT');
  await pool.end();
  const archive = await pglite.dumpDataDir('gzip');
  await pglite.close();
  return new Uint8Array(await archive.arrayBuffer());
};
