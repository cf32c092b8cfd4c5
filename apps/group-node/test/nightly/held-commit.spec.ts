import { type TestStores } from '../support/embedded-stores.js';
import { answersReads, type Hold } from '../support/held-commits.js';
import { describeWithPostgres, serverStores } from '../support/server-stores.js';

/** Another session has locked the table of headers against writers, so that the transaction of a commit stays open. */
const heldInside =
  (stores: TestStores): Hold =>
  async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await new Promise<void>((locked, failed) => {
      const lock = stores.host.service('group_0').transaction(async (statements) => {
        await statements.query('lock', 'LOCK TABLE group_0.block_header IN SHARE ROW EXCLUSIVE MODE');
        locked();
        await held;
      });
      lock.catch(failed);
    });
    return release;
  };

describeWithPostgres('while a commit is held inside the database', (server) =>
  answersReads(async () => {
    const stores = await serverStores(server());
    return { stores, store: await stores.store(0), hold: heldInside(stores) };
  }),
);
