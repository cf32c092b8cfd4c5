import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseHost, openDatabaseServer } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, type ServerProcess, startPostgres } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { type OwnedStore, walletStoreOver } from '../../src/storage/open-wallet-store.js';

describeWithServers(['postgres'], 'the wallets on PostgreSQL', () => {
  let server: ServerProcess;
  let host: DatabaseHost;
  let owned: OwnedStore;
  const fatal: Error[] = [];
  const openOwned = (database = host.service('wallet')): OwnedStore =>
    walletStoreOver({ database, clock: systemClock, logger: silentLogger, onFatal: (error) => fatal.push(error) });
  const isReady = (): Promise<boolean> =>
    owned.notReadyBecause().then(
      (reason) => reason === undefined,
      () => false,
    );

  beforeAll(async () => {
    server = await startPostgres({ folder: mkdtempSync(join(tmpdir(), 'shardnode-wallets-')) });
    const url = await createServiceDatabase(server.url, 'wallets', 'secret');
    host = openDatabaseServer({ url, applicationName: 'wallet-service', logger: silentLogger });
    owned = openOwned();
    await owned.open();
  });
  afterAll(async () => {
    await owned.close();
    await host.close();
    await server.remove();
  });

  it('have one owner: a second service is told who it is', async () => {
    expect(await isReady()).toBe(true);
    const second = openOwned().open();
    await expect(second).rejects.toMatchObject({ code: 'WriterExists' });
    await expect(second).rejects.toThrow(`wallet-service, process ${process.pid}`);
  });

  it('say why they cannot be used, and can be again by themselves when the server is back', async () => {
    await server.stop('immediate');
    await expect(owned.store.names()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'StoreUnavailable',
      data: { reason: 'its database does not answer' },
    });
    expect(await isReady()).toBe(false);
    await server.start();
    const back = performance.now();
    await until('the lock is held again', isReady);
    expect(performance.now() - back).toBeLessThan(5_000);
    expect(await owned.store.names()).toEqual([]);
    expect(fatal).toEqual([]);
  });
});
