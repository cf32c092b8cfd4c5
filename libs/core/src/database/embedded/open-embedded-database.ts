import { existsSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { type Database, type DatabaseHost } from '../database.js';
import { DatabaseError } from '../database-error.js';
import { PoolDatabase } from '../pool-database.js';
import { lockFolder } from './folder-lock.js';
import { clusterFolder, inspectFolder, markComplete } from './folder-state.js';
import { PgliteStream } from './pglite-stream.js';
import { unpackCluster } from './unpack-cluster.js';

export interface EmbeddedDatabaseOptions {
  /** Folder of this process alone; made when it is not there. */
  readonly dataDir: string;
  /** Of which network the data is, in a few words; data with another identity is refused. */
  readonly identity?: string;
  /** Gzipped tar archive of a fresh cluster: the first start takes tenths of a second instead of some seconds. */
  readonly preparedCluster?: string;
}

/**
 * Settings for many small statements and no background workers. Plans are made once, while tables may be tiny, and
 * nothing makes them anew when tables grow: so plans never rest on a sequential scan.
 */
const settings: Readonly<Record<string, string>> = {
  shared_buffers: '64MB',
  wal_buffers: '1MB',
  max_wal_size: '512MB',
  wal_init_zero: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  track_activities: 'off',
  track_counts: 'off',
};

export const startParameters = (): string[] => [
  ...PGlite.defaultStartParams,
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

/** A pool of the one connection that PGlite has. */
export const poolOver = (pglite: PGlite): pg.Pool => {
  const config = { stream: () => new PgliteStream(pglite), max: 1, idleTimeoutMillis: 0 };
  const pool = new pg.Pool(config as unknown as pg.PoolConfig);
  pool.setMaxListeners(0);
  // A failing engine fails the statement that it was at, and all later ones; nobody else needs to hear of it.
  pool.on('error', () => undefined);
  return pool;
};

const openCluster = async (folder: string): Promise<PGlite> => {
  try {
    return await PGlite.create({ dataDir: folder, startParams: startParameters() });
  } catch (error) {
    throw new DatabaseError(
      'DamagedFolder',
      `The database in ${folder} does not start (${error instanceof Error ? error.message : String(error)}).`,
      'Restore the folder from a backup, or start over with an empty one.',
      { cause: error },
    );
  }
};

const hostOver = (pglite: PGlite, closed: () => void): DatabaseHost => {
  const pool = poolOver(pglite);
  const services = new Map<string, Database>();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await pool.end();
      await pglite.close();
    } finally {
      closed();
    }
  };
  return {
    service: (schema) => {
      const database = services.get(schema) ?? new PoolDatabase(pool, schema);
      services.set(schema, database);
      return database;
    },
    close: () => (closing ??= close()),
  };
};

/**
 * Opens the embedded PostgreSQL of a folder: one PGlite, one connection, a schema for each service. It survives the kill
 * of its process without loss; a power cut may lose the last writes (no fsync): for development and tests. Throws
 * DatabaseError with a remedy when the folder cannot be used.
 */
export const openEmbeddedDatabase = async (options: EmbeddedDatabaseOptions): Promise<DatabaseHost> => {
  const { dataDir, identity = '', preparedCluster } = options;
  const lock = lockFolder(dataDir);
  try {
    const complete = inspectFolder(dataDir, identity);
    const folder = clusterFolder(dataDir);
    if (!complete && preparedCluster !== undefined && existsSync(preparedCluster)) {
      unpackCluster(preparedCluster, folder);
    }
    const pglite = await openCluster(folder);
    if (!complete) markComplete(dataDir, identity);
    return hostOver(pglite, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
};
