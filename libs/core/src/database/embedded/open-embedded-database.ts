import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { Connections } from '../connections.js';
import { type Database, type DatabaseHost } from '../database.js';
import { DatabaseError } from '../database-error.js';
import { migrateSchema } from '../migrations/migrate-schema.js';
import { PoolDatabase } from '../pool-database.js';
import { EmbeddedWriters } from './embedded-writers.js';
import { lockFolder } from './folder-lock.js';
import { clusterFolder, inspectFolder, markComplete } from './folder-state.js';
import { engineOver, type PgliteEngine, pgliteOptions } from './pglite-engine.js';
import { PgliteStream } from './pglite-stream.js';
import { openThreadEngine } from './thread-engine.js';
import { unpackCluster } from './unpack-cluster.js';

export interface EmbeddedDatabaseOptions {
  /** Folder exclusive to this process; created if missing. */
  readonly dataDir: string;
  /** Network that the data belongs to, in a few words; data with another identity is refused. */
  readonly identity?: string;
  /** Gzipped tar archive of a fresh cluster: the first start takes tenths of a second instead of some seconds. */
  readonly preparedCluster?: string;
  /** Where PGlite runs; default: on its own thread if that is built. */
  readonly engine?: 'thread' | 'in-process';
  /** Megabytes of pages in memory; default 64. */
  readonly bufferMegabytes?: number;
}

/** A pool of the one connection that PGlite has. */
export const poolOver = (engine: PgliteEngine): pg.Pool => {
  const config = { stream: () => new PgliteStream(engine), max: 1, idleTimeoutMillis: 0, pipeline: true };
  return new pg.Pool(config as unknown as pg.PoolConfig);
};

/** All schemas of an engine; each is created at first use. */
export const databasesOver = (connections: Connections): ((schema: string) => Database) => {
  const writers = new EmbeddedWriters();
  const services = new Map<string, Database>();
  return (schema) => {
    const database =
      services.get(schema) ??
      new PoolDatabase(connections, schema, {
        migrate: (name, migrations) => migrateSchema(connections.pool, name, migrations),
        openWriter: async (owner, options) => writers.open(owner, options),
      });
    services.set(schema, database);
    return database;
  };
};

/** The build of the database's thread: next to this module's build, or in the build that belongs to this source. */
const builtThread = ['./pglite-thread.js', '../../../dist/database/embedded/pglite-thread.js']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

const openEngine = async (
  folder: string,
  { engine: where = 'thread', bufferMegabytes }: EmbeddedDatabaseOptions,
): Promise<PgliteEngine> => {
  try {
    if (where === 'thread' && builtThread !== undefined)
      return await openThreadEngine(folder, builtThread, bufferMegabytes);
    return engineOver(await PGlite.create(pgliteOptions(folder, bufferMegabytes)));
  } catch (error) {
    throw new DatabaseError(
      'DamagedFolder',
      `The database in ${folder} does not start (${error instanceof Error ? error.message : String(error)}).`,
      'Restore the folder from a backup, or start over with an empty one.',
      { cause: error },
    );
  }
};

const hostOver = (engine: PgliteEngine, closed: () => void): DatabaseHost => {
  const connections = new Connections(poolOver(engine));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await connections.end();
      await engine.close();
    } finally {
      closed();
    }
  };
  return {
    service: databasesOver(connections),
    check: async () => {
      await connections.use((client) => client.query('SELECT 1'));
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
    const engine = await openEngine(folder, options);
    if (!complete) markComplete(dataDir, identity);
    return hostOver(engine, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
};
