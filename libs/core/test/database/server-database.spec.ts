import { expect, it } from '@jest/globals';
import { statementStopped } from '@shardnode/core/database';
import { describeWithServers } from '@shardnode/testing/servers';
import { describeDatabase } from './database-contract.js';
import { PostgresOfTest } from './postgres-of-test.js';

describeWithServers(['postgres'], 'PostgreSQL', () => {
  const postgres = new PostgresOfTest();

  describeDatabase({
    name: 'a PostgreSQL server',
    open: async () => postgres.openHost(await postgres.freshDatabase()),
    remove: () => Promise.resolve(),
  });

  it('stops a statement of a snapshot after its timeout, and the connection stays', async () => {
    const host = postgres.openHost(await postgres.freshDatabase());
    const database = host.service('first');
    const long = database.transaction(({ query }) => query('long', 'SELECT pg_sleep(60)'), { snapshotTimeoutMs: 100 });
    await expect(long).rejects.toMatchObject({ code: statementStopped });
    expect(await database.query('one', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await host.close();
  });
});
