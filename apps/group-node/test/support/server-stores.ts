import { afterAll, beforeAll, describe } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, type ServerProcess, startPostgres } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { embeddedStores, openStore, rowsOf, type TestStores } from './embedded-stores.js';
import { memoryStores } from './memory-stores.js';

let number = 0;

export interface ServerStores extends TestStores {
  /** Secret, but in tests. */
  readonly url: string;
}

const over = (url: string): ServerStores => {
  const host = openDatabaseServer({ url, applicationName: 'group-nodes', logger: silentLogger });
  return {
    url,
    host,
    store: (group) => openStore(host, group),
    ...rowsOf(host),
    reopen: async () => {
      await host.close();
      return over(url);
    },
    remove: () => host.close(),
  };
};

/** Stores of group-nodes in a fresh database of a PostgreSQL server. */
export const serverStores = async (server: ServerProcess): Promise<ServerStores> =>
  over(await createServiceDatabase(server.url, `stores_${++number}`, 'secret'));

/** A suite with a PostgreSQL server of its own. */
export const describeWithPostgres = (title: string, body: (server: () => ServerProcess) => void): void =>
  describeWithServers(['postgres'], title, () => {
    let server: ServerProcess;
    beforeAll(async () => {
      server = await startPostgres({ folder: mkdtempSync(join(tmpdir(), 'shardnode-postgres-')) });
    });
    afterAll(() => server.remove());
    body(() => server);
  });

type StoresSuite = (title: string, body: (open: () => Promise<TestStores>) => void) => void;

/** The same suite over the embedded database and over a PostgreSQL server. */
export const overEachDatabase: StoresSuite = (title, body) => {
  describe(`${title}, embedded`, () => body(embeddedStores));
  describeWithPostgres(`${title}, on PostgreSQL`, (server) => body(() => serverStores(server())));
};

/** Over the store of the simulator, too: what is true of one is true of all. */
export const overEachStore: StoresSuite = (title, body) => {
  overEachDatabase(title, body);
  describe(`${title}, in memory`, () => body(memoryStores));
};
