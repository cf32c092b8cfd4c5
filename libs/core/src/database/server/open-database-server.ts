import pg from 'pg';
import { Connections } from '../connections.js';
import { type Database, type DatabaseHost, type DatabaseWriter, type WriterOptions } from '../database.js';
import { writerExists } from '../database-error.js';
import { PoolDatabase } from '../pool-database.js';
import { type Logger } from '../../observability/index.js';
import { connectionSettings, type DatabaseAccess, limits, publicAddress } from './connection-settings.js';
import { describeAccess } from './access-error.js';
import { migrateOnServer } from './server-migrations.js';
import { ServerWriter } from './server-writer.js';
import { newToken, processHolder, sessionName } from './session-name.js';

export interface DatabaseServerOptions extends DatabaseAccess {
  /** The service's name, e.g. `group-node-0`. */
  readonly applicationName: string;
  /** Maximum number of connections for reads. Writes have their own connection. */
  readonly readConnections?: number;
  readonly logger: Logger;
}

/** Writers of this process. Refuses a second writer here, because the server could not distinguish the two. */
class ServerWriters {
  private readonly holders = new Map<string, string>();

  constructor(private readonly access: DatabaseAccess) {}

  async open(schema: string, options: WriterOptions, logger: Logger): Promise<DatabaseWriter> {
    const other = this.holders.get(schema);
    if (other !== undefined) throw writerExists(schema, other);
    this.holders.set(schema, options.holder);
    const closed = (): void => void this.holders.delete(schema);
    const onLost = (error: Error): void => {
      logger.warn({ err: error, schema }, "the writer's lock is lost");
      options.onLost(error);
    };
    const writer = new ServerWriter({ access: this.access, schema, options: { ...options, onLost }, closed });
    try {
      await writer.term();
      return writer;
    } catch (error) {
      closed();
      throw error;
    }
  }
}

/**
 * A database on a PostgreSQL server, with a pool for reads. Connects at first use. Services may share it or have one
 * each. Statements reject with errors of node-postgres; `unavailableReason` recognises those of an unavailable server.
 */
export const openDatabaseServer = (options: DatabaseServerOptions): DatabaseHost => {
  const { url, password, tls, applicationName, readConnections = 4, logger } = options;
  const access: DatabaseAccess = { url, password, tls };
  const settings = connectionSettings(access, sessionName(processHolder(applicationName), newToken()));
  const pool = new pg.Pool({ ...settings, max: readConnections, query_timeout: limits.read, idleTimeoutMillis: 0 });
  const connections = new Connections(pool);
  const services = new Map<string, Database>();
  const writers = new ServerWriters(access);
  const parts = {
    migrate: (schema: string, source: Parameters<Database['migrate']>[0]) =>
      migrateOnServer(access, applicationName, schema, source),
    openWriter: ({ schema }: Database, { holder, onLost }: WriterOptions) =>
      writers.open(schema, { holder, onLost: (error) => (connections.distrust(), onLost(error)) }, logger),
  };
  return {
    service: (schema) => {
      const database = services.get(schema) ?? new PoolDatabase(connections, schema, parts);
      services.set(schema, database);
      return database;
    },
    check: async () => {
      try {
        await connections.use((client) => client.query('SELECT 1'));
      } catch (error) {
        throw describeAccess(error, publicAddress(url));
      }
    },
    close: () => connections.end(2_000),
  };
};
