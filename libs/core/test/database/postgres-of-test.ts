import { afterAll, beforeAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseHost, openDatabaseServer } from '@shardnode/core/database';
import { createLogger, silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, type ServerProcess, startPostgres } from '@shardnode/core/servers';

const logger = process.env['TEST_LOG'] ? createLogger({ level: 'debug' }) : silentLogger;

/** A PostgreSQL for the tests of a file. */
export class PostgresOfTest {
  server!: ServerProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'shardnode-postgres-'));
  private number = 0;

  constructor() {
    beforeAll(async () => {
      this.server = await startPostgres({ folder: this.folder });
    });
    afterAll(async () => {
      await this.server.remove();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** The URL of a new database, as its role. */
  freshDatabase(): Promise<string> {
    return createServiceDatabase(this.server.url, `service_${++this.number}`, 'secret');
  }

  openHost(url: string, applicationName = 'group-node-0'): DatabaseHost {
    return openDatabaseServer({ url, applicationName, logger });
  }
}
