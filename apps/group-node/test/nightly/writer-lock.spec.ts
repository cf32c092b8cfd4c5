import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type DatabaseHost, openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { type ServerProcess } from '@shardnode/core/servers';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { schemaOf } from '../support/embedded-stores.js';
import { coin, TestNetwork, until } from '../support/network.js';
import { describeWithPostgres, serverStores, type ServerStores } from '../support/server-stores.js';

const refusal = { kind: 'unavailable', code: 'StoreUnavailable', data: { group: 0 } };

describeWithPostgres('group-nodes over PostgreSQL', (server: () => ServerProcess) => {
  let stores: ServerStores;
  let network: TestNetwork;
  const scriptOf = (group: number, text: string): Promise<void> => stores.host.service(schemaOf(group)).script(text);
  const send = async () => network.transfer((await developmentKeys())[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
  const received = async (count: number): Promise<boolean> =>
    (await network.balance(testKeyOfGroup(0))) === BigInt(count) * coin;
  const isReady = async (group: number): Promise<boolean> =>
    (await network.client.request(group, 'read.node.status', {})).synced;
  /** Compared from outside: a block may come in between, and then it is looked at again. */
  const projectionIsRight = (group: number): Promise<void> =>
    until('the projection is right', async () => (await (await network.store(group)).checkProjection()).equal);
  /** Ends the sessions that hold the locks of all writers, as an administrator would. */
  const terminateWriters = (): Promise<void> =>
    scriptOf(
      0,
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND pid <> pg_backend_pid() AND application_name LIKE 'group-node%'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );

  beforeEach(async () => {
    stores = await serverStores(server());
    network = new TestNetwork(stores, {});
    await network.start();
  });
  afterEach(() => network.close());

  it('make blocks and confirm transfers between groups', async () => {
    const rich = await developmentKeys();
    const { txId } = await network.transfer(rich[1]!, [{ key: testKeyOfGroup(3), amount: coin }]);
    await until('it is confirmed', async () => (await network.status(1, txId)).type === 'Confirmed');
    await until('the receiver sees it', async () => (await network.balance(testKeyOfGroup(3))) === coin);
    for (const group of network.groups) await projectionIsRight(group);
  });

  it('refuse to be two of a group: the second one is told who the first is', async () => {
    const second = new TestNetwork(stores, {});
    const start = second.start();
    await expect(start).rejects.toMatchObject({ code: 'WriterExists' });
    await expect(start).rejects.toThrow(`being written by group-node-0, process ${process.pid} on`);
    await second.stop();
  });

  it('go on by themselves when their sessions are ended, and lose nothing', async () => {
    await send();
    const before = await network.mine(0, 0);
    await terminateWriters();
    // Nobody asks for anything meanwhile.
    await until('all are ready', async () => (await Promise.all(network.groups.map(isReady))).every(Boolean));
    await until('a transfer is taken', () =>
      send().then(
        () => true,
        () => false,
      ),
    );
    await until('both are there', () => received(2));
    const { blockHash } = await network.mine(0, 0);
    const store = await network.store(0);
    expect(await store.chainRows([before.blockHash, blockHash])).toHaveLength(2);
    await projectionIsRight(0);
    expect(network.fatal.size).toBe(0);
  });

  it('call it fatal when another one has taken the lock, and write nothing any more', async () => {
    await send();
    const rival: DatabaseHost = openDatabaseServer({
      url: stores.url,
      applicationName: 'rival',
      logger: silentLogger,
    });
    const database = rival.service(schemaOf(0));
    let isOver = false;
    const taking = database
      .openWriter({ holder: 'rival, process 2 on b', onLost: () => undefined })
      .finally(() => (isOver = true));
    // The rival looks for its chance every tenth of a second; ours comes back at once, and may be faster many times.
    while (!isOver) {
      await terminateWriters();
      await new Promise((resolve) => setTimeout(resolve, 70));
    }
    const writer = await taking;
    await until('the fatal error', async () => network.fatal.has(0));
    expect(network.fatal.get(0)).toMatchObject({ code: 'WriterExists' });
    expect(network.fatal.get(0)!.message).toContain('rival, process 2 on b');
    await expect(send()).rejects.toMatchObject(refusal);
    await expect(network.mine(0, 0)).rejects.toMatchObject({ kind: 'unavailable' });
    await writer.close();
    await rival.close();
    await until('a transfer is taken', () =>
      send().then(
        () => true,
        () => false,
      ),
    );
  });

  for (const how of ['fast', 'immediate'] as const) {
    it(`say why while the server is stopped (${how}), and go on when it is back`, async () => {
      await send();
      await server().stop(how);
      await until('group 0 says so', async () => !(await isReady(0)));
      const started = performance.now();
      await expect(send()).rejects.toMatchObject(refusal);
      await expect(network.mine(0, 0)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(network.balance(testKeyOfGroup(0))).rejects.toMatchObject(refusal);
      expect(performance.now() - started).toBeLessThan(5_000);
      await server().start();
      const back = performance.now();
      await until('a transfer is taken', () =>
        send().then(
          () => true,
          () => false,
        ),
      );
      expect(performance.now() - back).toBeLessThan(10_000);
      await until('both are there', () => received(2));
      await projectionIsRight(0);
    });
  }

  it('say that the disk is full, and go on when there is room', async () => {
    await send();
    await scriptOf(
      0,
      `CREATE FUNCTION group_0.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON group_0.block_header EXECUTE FUNCTION group_0.full_disk();
       CREATE TRIGGER full_disk BEFORE INSERT ON group_0.pending_transaction EXECUTE FUNCTION group_0.full_disk();`,
    );
    await expect(send()).rejects.toMatchObject({
      ...refusal,
      data: { group: 0, reason: 'the disk of its database is full' },
    });
    await scriptOf(
      0,
      'DROP TRIGGER full_disk ON group_0.block_header; DROP TRIGGER full_disk ON group_0.pending_transaction;',
    );
    const back = performance.now();
    await until('a transfer is taken', () =>
      send().then(
        () => true,
        () => false,
      ),
    );
    expect(performance.now() - back).toBeLessThan(5_000);
    // What was refused is in the pool still, where it was first: its money may come too.
    await until('it is there', async () => (await network.balance(testKeyOfGroup(0))) >= 2n * coin);
    await projectionIsRight(0);
  });
});
